import type { Database } from '../../db/database.ts'
import type { Log } from '../../util/log.ts'
import { type PreviewStore, previewKey, putPreviews } from './blobs/previewStore.ts'
import { type Previewer, type PreviewOutcome, previewSizes } from './draw/preview.ts'
import type { MediaSource } from './fetchMedia.ts'
import { recallSource, rememberSource } from './mediaSource.ts'
import { type MediaResult, noMedia } from './mediaStore.ts'

export type PreviewSource = (
  source: MediaSource,
  options: { payers: readonly string[]; signal: AbortSignal },
) => Promise<MediaResult>

/** The outcome of bytes that held a worker for so long is remembered. */
const costlyMs = 1_000

/** Bytes that ended a worker are tried once more, so much later: time or memory may have been short only then. */
const killedRetryMs = 6 * 3_600_000

/**
 * Makes and keeps the previews of an image's bytes. The same bytes, at any number of addresses, hold a worker once where that takes long,
 * and twice where they ended the worker: their outcome is remembered by their hash.
 */
export function createPreviewSource(options: {
  db: Database
  previewer: Previewer
  store: PreviewStore
  log: Log
}): PreviewSource {
  const { db, previewer, store, log } = options
  /** Previews that are being made, by hash: a second call with the same bytes gets the same outcome. */
  const underWay = new Map<string, Promise<MediaResult>>()

  async function make(
    source: MediaSource,
    hash: Buffer,
    { payers, signal }: Parameters<PreviewSource>[1],
  ): Promise<MediaResult> {
    const known = await recallSource(db, hash)
    const holds = known && (known.retryAt === null || known.retryAt.getTime() > Date.now())
    if (holds && (known.status !== 'success' || (await areKept(store, hash.toString('hex'))))) return known
    let heldMs = 0
    const onHeld = (ms: number) => {
      heldMs += ms
    }
    const outcome = await previewer.preview(source.bytes, { mimetype: source.mimetype, payers, signal, onHeld })
    if (outcome.status === 'failed') log.debug({ payers, reason: outcome.reason }, 'preview image not available')
    if (outcome.status === 'success') await putPreviews(store, outcome)
    const result = resultOf(outcome, known !== undefined)
    if (heldMs >= costlyMs || result.retryAt !== null || known) await rememberSource(db, hash, result)
    return result
  }

  return async (source, context) => {
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(source.bytes)))
    const name = hash.toString('hex')
    let making = underWay.get(name)
    if (!making) {
      making = make(source, hash, context).finally(() => underWay.delete(name))
      underWay.set(name, making)
    }
    return making
  }
}

/** Whether the store still has all sizes: it may have removed some to make room. */
async function areKept(store: PreviewStore, parentHash: string): Promise<boolean> {
  for (const size of previewSizes) if (!(await store.get(previewKey(parentHash, size)))) return false
  return true
}

/** `again`: these bytes ended a worker before. */
function resultOf(outcome: PreviewOutcome, again: boolean): MediaResult {
  if (outcome.status === 'failed') {
    const ended = outcome.code === 'time' || outcome.code === 'memory' || outcome.code === 'crash'
    return ended && !again
      ? { ...noMedia, status: 'temporarily_unavailable', retryAt: new Date(Date.now() + killedRetryMs) }
      : { ...noMedia, status: 'unsupported_media' }
  }
  const { mimetype, category } = outcome
  if (outcome.status === 'unsupported_media') return { ...noMedia, status: 'unsupported_media', mimetype, category }
  const { parentHash } = outcome
  return { status: 'success', mimetype, category, parentHash, sizes: sizesText(outcome), retryAt: null }
}

function sizesText({ parentHash, sizes }: Extract<PreviewOutcome, { status: 'success' }>): string {
  return JSON.stringify(
    Object.fromEntries(
      previewSizes.map((size) => {
        const { width, height } = sizes[size]
        return [size, { width, height, url: `/media/${previewKey(parentHash, size)}` }]
      }),
    ),
  )
}
