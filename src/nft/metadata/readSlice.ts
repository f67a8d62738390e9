import type { Pace } from '../../util/threads/createPace.ts'
import { createBuffer } from './createBuffer.ts'
import { createMetadataSettler } from './createMetadataSettler.ts'
import { type Fetched, fetchMetadata, metadataHost } from './fetchMetadata.ts'
import type { DueToken, Outcome } from './parse/outcome.ts'
import type { ReadMetadataOptions } from './readMetadataOptions.ts'
import { readUris, uriBytes, type Waiting } from './readUris.ts'
import { createDueTokens } from './store/dueTokens.ts'
import { beginHosts, endHosts } from './store/hostStore.ts'
import { createMetadataHosts, type MetadataHosts } from './store/metadataHosts.ts'
import * as store from './store/metadataStore.ts'
import { metadataRetryDelay } from './store/schedule.ts'

/** Pause after a slice that failed completely, as the node or the database was unreachable. */
const postponeSeconds = 15

/** Consecutive tokens with paused hosts after which the slice ends, as the collection's other tokens would also fail. */
const busyInRow = 500

export type SliceOptions = ReadMetadataOptions & { pace: Pace }

/**
 * One time slice of a collection: requests URIs, fetches metadata and stores outcomes concurrently, so that a token waits only for its own host.
 * Never throws: a slice that fails completely is postponed.
 */
export async function readSlice(options: SliceOptions, slice: store.MetadataSlice): Promise<void> {
  const { db, log, signal } = options
  try {
    const pauseMs = await readDueTokens(options, slice)
    if (pauseMs === 0) await store.endMetadataSlice(db, slice)
    else await store.postponeMetadataSlice(db, slice, pauseMs / 1_000)
  } catch (err) {
    if (signal.aborted) return
    log.warn({ chain: slice.chainId, collection: slice.address, err }, 'metadata batch failed')
    const later = store.postponeMetadataSlice(db, slice, postponeSeconds)
    await later.catch((failure: unknown) =>
      log.error({ chain: slice.chainId, collection: slice.address, err: failure }, 'metadata batch not postponed'),
    )
  }
}

/** Returns the pause of the whole collection in milliseconds: above 0 if all its hosts are paused. */
async function readDueTokens(options: SliceOptions, slice: store.MetadataSlice): Promise<number> {
  const { chains, db, leases, settings, pace } = options
  const worker = leases.serving(slice)
  const started = worker === undefined ? undefined : await beginHosts(db, slice, worker)
  if (worker === undefined || started === undefined) return 0
  const hosts = createMetadataHosts(started.known, settings)
  const stop = new AbortController()
  const signal = AbortSignal.any([options.signal, stop.signal])
  const waiting = createBuffer<Waiting>(uriBytes)
  const dueTokens = createDueTokens(db, slice)
  // Without consumers, a producer that waits for space would wait forever.
  signal.addEventListener('abort', waiting.end, { once: true })
  const settler = createMetadataSettler(options, slice)
  const pauses = createPauseDetector()

  async function fetchWaiting(): Promise<void> {
    for (let next = await waiting.take(); next && !signal.aborted; next = await waiting.take()) {
      const { token, uri } = next
      // Tokens that are not started stay due, without cost.
      if (pauses.isNeeded() || !dueTokens.begin(token)) continue
      await pace()
      const fetched = await metadataOf(options, next, { hosts, signal })
      const waitedFor = started!.woken.get(token.hash)
      if (waitedFor !== undefined && typeof uri === 'string' && metadataHost(uri, token.tokenId) !== waitedFor)
        hosts.abandoned(waitedFor)
      pauses.note(fetched)
      await settler.add({
        token,
        outcome: outcomeOf(settings, token, typeof uri === 'string' ? uri : null, fetched),
        at: new Date(),
      })
    }
  }

  /** The first error also ends the other work of the slice. */
  const ending = (work: Promise<void>) =>
    work.catch((error: unknown) => {
      stop.abort(error)
      waiting.end()
      throw error
    })
  const fetchers = Array.from({ length: settings.concurrentDocuments }, () => ending(fetchWaiting()))
  const outcomes = await Promise.allSettled([
    ending(
      readUris({ chains, db, dueTokens, waiting, isResting: pauses.isNeeded, signal }, slice).finally(waiting.end),
    ),
    ...fetchers,
  ])
  await settler.end()
  options.signal.throwIfAborted()
  await endHosts(db, slice, { worker, hosts, signal: options.signal })
  const fault = outcomes.find((outcome) => outcome.status === 'rejected')
  if (fault) throw stop.signal.aborted ? stop.signal.reason : fault.reason
  if (!pauses.isNeeded() || hosts.changes().back.length > 0) return 0
  return Math.max(1_000, Math.min(pauses.shortestMs(), (hosts.retryAt() ?? Number.POSITIVE_INFINITY) - Date.now()))
}

/** Detects that every host of a collection is paused: reading on would cost calls and writes without results. */
function createPauseDetector() {
  let inRow = 0
  let shortestMs = Number.POSITIVE_INFINITY
  return {
    note(fetched: Fetched): void {
      const isBackingOff = fetched.kind === 'busy' || fetched.kind === 'dead'
      if (inRow >= busyInRow) return
      inRow = isBackingOff ? inRow + 1 : 0
      if (!isBackingOff) shortestMs = Number.POSITIVE_INFINITY
      if (fetched.kind === 'busy') shortestMs = Math.min(shortestMs, fetched.retryAfterMs)
    },
    /** True after this many consecutive tokens with a paused host. */
    isNeeded: () => inRow >= busyInRow,
    /** Milliseconds until the first busy host that is not dead may be requested. */
    shortestMs: () => shortestMs,
  }
}

async function metadataOf(
  { origins }: SliceOptions,
  { token, standard, uri }: Waiting,
  { hosts, signal }: { hosts: MetadataHosts; signal: AbortSignal },
): Promise<Fetched> {
  if (typeof uri === 'string') return fetchMetadata(origins, { uri, tokenId: token.tokenId, hosts, signal })
  const reason = `${standard === 'ERC1155' ? 'uri' : 'tokenURI'} ${uri.reason}`
  return uri.lasting ? { kind: 'permanent', reason } : { kind: 'failed', reason, retryAfterMs: undefined }
}

function outcomeOf(
  { retryDelaysMs }: ReadMetadataOptions['settings'],
  token: DueToken,
  uri: string | null,
  fetched: Fetched,
): Outcome {
  if (fetched.kind === 'metadata') return { state: 'ok', uri: uri ?? '', metadata: fetched.metadata }
  if (fetched.kind === 'permanent') return { state: 'permanent', uri, reason: fetched.reason }
  if (fetched.kind === 'dead') return { state: 'parked', reason: fetched.reason, host: fetched.host }
  const { reason, retryAfterMs } = fetched
  if (fetched.kind === 'busy') return { state: 'busy', reason, retryAt: inMs(Math.max(250, fetched.retryAfterMs)) }
  const delay = metadataRetryDelay(retryDelaysMs, token.attempts, retryAfterMs)
  return { state: 'failed', uri, reason, retryAt: inMs(delay) }
}

function inMs(ms: number): Date {
  return new Date(Date.now() + ms)
}
