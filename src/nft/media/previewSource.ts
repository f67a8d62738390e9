import { createHash } from 'node:crypto'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../util/log.ts'
import { shareCalls } from '../../util/shareCalls.ts'
import { type PreviewStore, previewKey, putPreviews } from './blobs/previewStore.ts'
import { type Previewer, type PreviewOutcome, previewSizes } from './draw/preview.ts'
import type { MediaSource } from './fetchMedia.ts'
import { recallSource, rememberSource } from './mediaSource.ts'
import { type MediaResult, noMedia } from './mediaStore.ts'

export type PreviewSource = (
  source: MediaSource,
  options: { payers: readonly string[]; signal: AbortSignal },
) => Promise<MediaResult>

/** Outcomes that took a worker at least this long are stored. */
const costlyMs = 1_000

/** Delay of the single retry of bytes that ended a worker, or took too long: time or memory may have been short then. */
const killedRetryMs = 6 * 3_600_000

/**
 * Makes and stores previews of an image's bytes. Bytes that take long occupy a worker once, and bytes that end a worker twice, at any number of URLs:
 * outcomes are stored by the hash of bytes and limits.
 */
export function createPreviewSource(options: {
  db: Database
  previewer: Previewer
  store: PreviewStore
  log: Log
}): PreviewSource {
  const { db, previewer, store, log } = options
  /** Concurrent calls with the same bytes share the outcome. */
  const shared = shareCalls<MediaResult>()

  async function make(
    source: MediaSource,
    hash: Buffer,
    { payers, signal }: Parameters<PreviewSource>[1],
  ): Promise<MediaResult> {
    const limited = createHash('sha256').update(hash).update(previewer.limits).digest()
    const known = await recallSource(db, limited)
    const holds = known && (known.retryAt === null || known.retryAt.getTime() > Date.now())
    const parentHash = known?.status === 'success' ? hash.toString('hex') : null
    if (holds && (parentHash === null || (await areKept(store, parentHash)))) return { ...known, parentHash }
    let heldMs = 0
    const onHeld = (ms: number) => {
      heldMs += ms
    }
    const { bytes, mimetype, size } = source
    const outcome = await previewer.preview(bytes, { mimetype, size: size ?? null, payers, signal, onHeld })
    if (outcome.status === 'failed') log.debug({ payers, reason: outcome.reason }, 'preview image not available')
    if (outcome.status === 'success') await putPreviews(store, outcome)
    const result = resultOf(outcome, { size, again: known !== undefined })
    if (heldMs >= costlyMs || result.retryAt !== null || known) await rememberSource(db, limited, result)
    return result
  }

  return async (source, context) => {
    const hash = hashOf(source)
    const result = await shared(hash.toString('hex'), () => make(source, hash, context))
    if (result.status !== 'host_unavailable') return result
    return source.retryAt ? { ...result, retryAt: source.retryAt } : { ...result, status: 'unsupported_media' }
  }
}

/** Whether the store still has all sizes, as it may have evicted some. */
async function areKept(store: PreviewStore, parentHash: string): Promise<boolean> {
  for (const size of previewSizes) if (!(await store.get(previewKey(parentHash, size)))) return false
  return true
}

/** SHA-256 of the bytes; for the start of a file, also of its size. */
function hashOf({ bytes, size }: MediaSource): Buffer {
  const sum = createHash('sha256').update(bytes)
  return size === bytes.length ? sum.digest() : sum.update(` of ${size}`).digest()
}

/** Types of what a host may send for a while instead of media: error pages, messages, damaged bytes. */
const errorTypes = /^text\/|^application\/(?:json|xml|octet-stream)$/

/** `again`: these bytes already ended a worker, or took too long. `host_unavailable`: a host may send better ones later. */
function resultOf(outcome: PreviewOutcome, { size, again }: { size: number | undefined; again: boolean }): MediaResult {
  const retryAt = again ? null : new Date(Date.now() + killedRetryMs)
  if (outcome.status === 'failed') {
    const ended = outcome.code === 'time' || outcome.code === 'memory' || outcome.code === 'crash'
    if (ended && retryAt !== null) return { ...noMedia, status: 'temporarily_unavailable', retryAt }
    const isDamaged = outcome.code === 'undecodable' || outcome.code === 'empty'
    return { ...noMedia, status: isDamaged ? 'host_unavailable' : 'unsupported_media' }
  }
  const { mimetype, category, duration } = outcome
  const details = JSON.stringify({ size: size ?? null, duration }).slice(1, -1)
  const known = { ...noMedia, mimetype, category, details }
  if (outcome.status === 'unsupported_media') {
    const status = errorTypes.test(mimetype) ? 'host_unavailable' : 'unsupported_media'
    return { ...known, status, retryAt: outcome.isLate ? retryAt : null }
  }
  return { ...known, status: 'success', parentHash: outcome.parentHash, sizes: sizesText(outcome) }
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
