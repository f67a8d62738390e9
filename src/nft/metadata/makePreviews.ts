import type { Database } from '../../db/database.ts'
import { describeError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import {
  AddressBlockedError,
  BadUrlError,
  HostBusyError,
  HttpStatusError,
  OutboundError,
} from '../../net/outboundError.ts'
import type { Leases } from '../../sync/lease.ts'
import { run } from '../../sync/run.ts'
import type { Waker } from '../../util/wait.ts'
import { type Previewer, type PreviewOutcome, previewSizes } from '../media/preview.ts'
import { type MediaStore, previewKey, putPreviews } from '../media/store/mediaStore.ts'
import type { Origins } from './fetchDocument.ts'
import { type DueMedia, type MediaResult, readDueMedia, settleMedia } from './mediaStore.ts'
import { resolveUri } from './resolveUri.ts'
import { retryDelay } from './retryDelay.ts'

export type MakePreviewsOptions = {
  leases: Leases
  db: Database
  origins: Origins
  previewer: Previewer
  store: MediaStore
  settings: {
    /** Sources fetched at once. */
    concurrentMedia: number
    retryDelaysMs: readonly number[]
    maxBytes: number
  }
  log: Log
  waker: Waker
  signal: AbortSignal
}

/** Makes the previews that were asked for in this process' partitions. Ends with the signal. */
export async function makePreviews(options: MakePreviewsOptions): Promise<void> {
  const { leases, db, settings, waker, signal, log } = options
  const active = new Map<string, Promise<void>>()

  async function tick(): Promise<'idle'> {
    const free = settings.concurrentMedia - active.size
    if (free <= 0) return 'idle'
    const partitions = [...leases.held('partition')]
    for (const due of await readDueMedia(db, { partitions, except: [...active.keys()], limit: free })) {
      const work = makePreview(options, due).finally(() => {
        active.delete(due.urlHash)
        waker.wake()
      })
      active.set(due.urlHash, work)
    }
    return 'idle'
  }

  await run({ name: 'previews', step: tick, idleMs: 1_000, waker, signal, log })
  await Promise.all(active.values())
}

/** Never throws: what went wrong stands in the preview's row. */
async function makePreview(options: MakePreviewsOptions, due: DueMedia): Promise<void> {
  const { leases, db, log, signal } = options
  try {
    const result = await resultOf(options, due)
    const worker = leases.held('partition').has(BigInt(due.partition)) ? leases.workerId() : undefined
    if (worker === undefined) return
    await settleMedia(db, due, result, worker)
  } catch (err) {
    if (!signal.aborted) log.warn({ url: due.url.slice(0, 200), err }, 'preview not made')
  }
}

async function resultOf(options: MakePreviewsOptions, due: DueMedia): Promise<MediaResult> {
  const { previewer, store, settings, log, signal } = options
  const source = await fetchSource(options, due)
  if ('status' in source) return source
  const outcome = await previewer.preview(source.bytes, { mimetype: source.mimetype, signal })
  if (outcome.status === 'failed') {
    log.debug({ url: due.url.slice(0, 200), reason: outcome.reason }, 'no preview')
    // Time and memory may have been short only now; the same bytes will not decode better later.
    const passing = outcome.code === 'time' || outcome.code === 'memory' || outcome.code === 'crash'
    return passing && due.attempts < 3
      ? { ...empty, status: 'temporarily_unavailable', retryAt: later(settings, due) }
      : { ...empty, status: 'unsupported_media' }
  }
  if (outcome.status === 'unsupported_media') return { ...empty, ...outcome }
  await putPreviews(store, outcome)
  return {
    status: 'success',
    mimetype: outcome.mimetype,
    category: outcome.category,
    parentHash: outcome.parentHash,
    sizes: sizesText(outcome),
    retryAt: null,
  }
}

const empty = { mimetype: null, category: null, parentHash: null, sizes: null, retryAt: null }

function later(settings: MakePreviewsOptions['settings'], due: DueMedia, retryAfterMs?: number): Date {
  return new Date(Date.now() + retryDelay(settings.retryDelaysMs, due.attempts, retryAfterMs))
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

async function fetchSource(
  { origins, settings, log, signal }: MakePreviewsOptions,
  due: DueMedia,
): Promise<{ bytes: Buffer; mimetype: string | undefined } | MediaResult> {
  const resolved = resolveUri(due.url, 0n)
  if (resolved.kind === 'refused') return { ...empty, status: 'invalid_url' }
  if (resolved.kind === 'inline')
    return { bytes: Buffer.from(resolved.bytes), mimetype: resolved.mediaType || undefined }
  const wanted = { signal, maxBytes: settings.maxBytes, accept: 'image/*, */*;q=0.5' }
  try {
    const { body, contentType } =
      resolved.kind === 'http'
        ? await origins.http.get(resolved.url, wanted)
        : await origins.gateways.get(
            {
              network: resolved.kind,
              id: resolved.kind === 'ipfs' ? resolved.cid : resolved.id,
              path: resolved.path,
              original: resolved.original,
            },
            wanted,
          )
    return { bytes: body, mimetype: contentType }
  } catch (error) {
    if (signal.aborted || !(error instanceof OutboundError)) throw error
    log.debug({ url: due.url.slice(0, 200), reason: describeError(error) }, 'media not fetched')
    if (error instanceof BadUrlError || error instanceof AddressBlockedError) return { ...empty, status: 'invalid_url' }
    if (error instanceof HostBusyError)
      return { ...empty, status: 'temporarily_unavailable', retryAt: later(settings, due, error.retryAfterMs) }
    if (!error.retryable && !(error instanceof HttpStatusError)) return { ...empty, status: 'unsupported_media' }
    return { ...empty, status: 'host_unavailable', retryAt: later(settings, due) }
  }
}
