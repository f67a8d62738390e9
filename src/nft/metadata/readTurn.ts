import type { NoUri } from '../../chain/evm/contract.ts'
import { readChain } from '../../sync/chainStore.ts'
import { createBuffer } from './createBuffer.ts'
import type { Pace } from './createPace.ts'
import { createSettler } from './createSettler.ts'
import { createDocumentHosts, type DocumentHosts } from './documentHosts.ts'
import { documentHost, type Fetched, fetchDocument } from './fetchDocument.ts'
import { beginHosts, endHosts } from './hostStore.ts'
import * as store from './metadataStore.ts'
import type { DueToken, Outcome } from './outcome.ts'
import type { MetadataSettings, ReadMetadataOptions } from './readMetadata.ts'
import { retryDelay } from './retryDelay.ts'

/** Longest slice of one collection while others wait. */
const sliceMs = 5_000

/** After a turn that failed as a whole: the node or the database was away. */
const postponeSeconds = 15

/**
 * Tokens whose URIs are asked for together: few at first, as each may be a document of a megabyte that stands in its URI,
 * then as many as `uriBytes` have room for by what the ones before were like.
 */
const firstUris = 4
const mostUris = 500
const uriBytes = 2_097_152

/** Held for each token that waits, besides its URI. */
const tokenBytes = 1_000

/** So many tokens in a row whose hosts are all left alone: the others of the collection are not asked for in vain. */
const busyInRow = 500

export type TurnOptions = ReadMetadataOptions & { pace: Pace }

type Waiting = { token: DueToken; uri: string | NoUri }

/**
 * A slice of one collection: URIs are asked for while documents come and outcomes are stored, so that a token waits for
 * its own host only. Never throws: a turn that failed as a whole is postponed.
 */
export async function readTurn(options: TurnOptions, turn: store.MetadataTurn): Promise<void> {
  const { db, log, signal } = options
  try {
    const restMs = await readDueTokens(options, turn)
    if (restMs === 0) await store.endMetadataTurn(db, turn)
    else await store.postponeMetadataTurn(db, turn, restMs / 1_000)
  } catch (err) {
    if (signal.aborted) return
    log.warn({ chain: turn.chainId, collection: turn.address, err }, 'metadata turn failed')
    const later = store.postponeMetadataTurn(db, turn, postponeSeconds)
    await later.catch((failure: unknown) =>
      log.error({ chain: turn.chainId, collection: turn.address, err: failure }, 'turn not postponed'),
    )
  }
}

/** Answers how long the collection is to be left alone, in milliseconds: its hosts are, and so are its other tokens. */
async function readDueTokens(options: TurnOptions, turn: store.MetadataTurn): Promise<number> {
  const { db, leases, settings, pace } = options
  const worker = leases.serving(turn)
  const begun = worker === undefined ? undefined : await beginHosts(db, turn, worker)
  if (worker === undefined || begun === undefined) return 0
  const hosts = createDocumentHosts(begun.known, settings)
  const stop = new AbortController()
  const signal = AbortSignal.any([options.signal, stop.signal])
  const waiting = createBuffer<Waiting>(uriBytes)
  // Nobody takes any more, so whoever waits for room would wait for ever.
  signal.addEventListener('abort', waiting.end, { once: true })
  const settler = createSettler(options, turn)
  const rest = createRest()

  async function fetchWaiting(): Promise<void> {
    for (let next = await waiting.take(); next && !signal.aborted; next = await waiting.take()) {
      const { token, uri } = next
      // What is left stays due, at no cost.
      if (rest.isNeeded()) continue
      await pace()
      const fetched = await documentOf(options, turn, next, { hosts, signal })
      const waitedFor = begun!.woken.get(token.hash)
      if (waitedFor !== undefined && typeof uri === 'string' && documentHost(uri, token.tokenId) !== waitedFor)
        hosts.left(waitedFor)
      rest.note(fetched)
      await settler.add({
        token,
        outcome: outcomeOf(settings, token, typeof uri === 'string' ? uri : null, fetched),
        at: new Date(),
      })
    }
  }

  /** The first fault ends the others too, so that a turn is over as a whole. */
  const ending = (work: Promise<void>) =>
    work.catch((error: unknown) => {
      stop.abort(error)
      waiting.end()
      throw error
    })
  const lanes = Array.from({ length: settings.concurrentDocuments }, () => ending(fetchWaiting()))
  const outcomes = await Promise.allSettled([
    ending(readUris(options, turn, { waiting, rest, signal }).finally(waiting.end)),
    ...lanes,
  ])
  await settler.end()
  options.signal.throwIfAborted()
  await endHosts(db, turn, { worker, hosts, signal: options.signal })
  const fault = outcomes.find((outcome) => outcome.status === 'rejected')
  if (fault) throw stop.signal.aborted ? stop.signal.reason : fault.reason
  if (!rest.isNeeded() || hosts.changes().back.length > 0) return 0
  return Math.max(1_000, Math.min(rest.shortestMs(), (hosts.retryAt() ?? Number.POSITIVE_INFINITY) - Date.now()))
}

type Rest = ReturnType<typeof createRest>

/** Notices that every host of a collection is left alone: reading on would cost calls and writes and give nothing. */
function createRest() {
  let inRow = 0
  let shortestMs = Number.POSITIVE_INFINITY
  return {
    note(fetched: Fetched): void {
      const isLeftAlone = fetched.kind === 'busy' || fetched.kind === 'dead'
      if (inRow >= busyInRow) return
      inRow = isLeftAlone ? inRow + 1 : 0
      if (!isLeftAlone) shortestMs = Number.POSITIVE_INFINITY
      if (fetched.kind === 'busy') shortestMs = Math.min(shortestMs, fetched.retryAfterMs)
    },
    /** False while something comes of the tries; true from then on. */
    isNeeded: () => inRow >= busyInRow,
    /** Until the first of the hosts that are only busy may be asked. */
    shortestMs: () => shortestMs,
  }
}

async function readUris(
  { chains, db, signal: ended }: TurnOptions,
  turn: store.MetadataTurn,
  { waiting, rest, signal }: { waiting: ReturnType<typeof createBuffer<Waiting>>; rest: Rest; signal: AbortSignal },
): Promise<void> {
  const { contracts } = await chains.open(turn.chainId, ended)
  const over = performance.now() + sliceMs
  let width = firstUris
  let last: DueToken | undefined
  while (!signal.aborted && performance.now() < over && !rest.isNeeded()) {
    await waiting.room()
    const batch = await store.readDue(db, turn, last, width)
    if (batch.length === 0) return
    last = batch.at(-1)
    const ids = batch.map((token) => token.tokenId)
    // The tokens are of blocks that were applied by now.
    const since = (await readChain(db, turn.chainId))?.block?.number
    const uris = await contracts.tokenUris(turn.address, turn.standard, ids, { since, signal })
    let bytes = 0
    for (const [i, token] of batch.entries()) {
      const uri = uris[i]!
      const weight = tokenBytes + (typeof uri === 'string' ? uri.length : 0)
      bytes += weight
      waiting.add({ token, uri }, weight)
    }
    width = Math.max(1, Math.min(mostUris, width * 8, Math.floor((uriBytes / bytes) * batch.length)))
  }
}

async function documentOf(
  { origins }: TurnOptions,
  turn: store.MetadataTurn,
  { token, uri }: Waiting,
  { hosts, signal }: { hosts: DocumentHosts; signal: AbortSignal },
): Promise<Fetched> {
  if (typeof uri === 'string') return fetchDocument(origins, uri, token.tokenId, hosts, signal)
  const reason = `${turn.standard === 'ERC1155' ? 'uri' : 'tokenURI'} ${uri.reason}`
  return uri.lasting ? { kind: 'permanent', reason } : { kind: 'failed', reason, retryAfterMs: undefined }
}

function outcomeOf(settings: MetadataSettings, token: DueToken, uri: string | null, fetched: Fetched): Outcome {
  if (fetched.kind === 'document') return { state: 'ok', uri: uri ?? '', document: fetched.document }
  if (fetched.kind === 'permanent') return { state: 'permanent', uri, reason: fetched.reason }
  if (fetched.kind === 'dead') return { state: 'parked', uri: uri ?? '', reason: fetched.reason, host: fetched.host }
  const { reason, retryAfterMs } = fetched
  if (fetched.kind === 'busy')
    return { state: 'failed', uri, reason, retryAt: inMs(Math.max(250, fetched.retryAfterMs)), counted: false }
  const delay = retryDelay(settings.retryDelaysMs, token.attempts, retryAfterMs)
  return { state: 'failed', uri, reason, retryAt: inMs(delay), counted: true }
}

function inMs(ms: number): Date {
  return new Date(Date.now() + ms)
}
