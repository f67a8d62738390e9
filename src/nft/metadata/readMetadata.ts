import type { ContractReader } from '../../chain/evm/contract.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'
import type { Leases } from '../../sync/lease.ts'
import type { OpenChains } from '../../sync/openChains.ts'
import { run } from '../../sync/run.ts'
import type { Waker } from '../../util/wait.ts'
import { type Fetched, fetchDocument, type Origins } from './fetchDocument.ts'
import * as store from './metadataStore.ts'
import type { DueToken, Outcome, Settled } from './outcome.ts'
import { retryDelay } from './retryDelay.ts'
import { settleMetadata } from './settleMetadata.ts'

export type MetadataSettings = {
  /** Collections worked on at once. */
  concurrentCollections: number
  /** Documents of one collection fetched at once. */
  concurrentDocuments: number
  retryDelaysMs: readonly number[]
}

export type ReadMetadataOptions = {
  chains: OpenChains
  leases: Leases
  db: Database
  origins: Origins
  settings: MetadataSettings
  metrics: Metrics
  log: Log
  waker: Waker
  signal: AbortSignal
}

/** Token URIs asked of a contract at once. */
const urisAtOnce = 200

/** Outcomes stored in one transaction: few enough that a death loses little, enough that a transaction costs little. */
const settledAtOnce = 100

/** Outcomes wait no longer than this for others. */
const settleEveryMs = 200

/** After a turn that failed as a whole: the node or the database was away. */
const postponeSeconds = 15

/** Longest slice of one collection while others wait. */
const sliceMs = 5_000

/** Reads the metadata that is due in this process' partitions, a slice of each collection after another. Ends with the signal. */
export async function readMetadata(options: ReadMetadataOptions): Promise<void> {
  const { leases, chains, db, settings, waker, signal, log } = options
  const active = new Map<bigint, Promise<void>>()
  let sweeping: { turn: store.MetadataTurn; from: string } | undefined

  async function sweepOn(): Promise<boolean> {
    const partitions = [...leases.held('partition')]
    if (!sweeping) {
      const turn = await store.nextUnswept(db, partitions)
      if (!turn) return false
      sweeping = { turn, from: '00000000-0000-0000-0000-000000000000' }
    }
    const { turn, from } = sweeping
    const next = await db.transaction((tx) => store.sweep(tx, turn, from))
    sweeping = next === undefined ? undefined : { turn, from: next }
    return true
  }

  async function tick(): Promise<'moved' | 'idle'> {
    const swept = await sweepOn()
    const free = settings.concurrentCollections - active.size
    if (free > 0) {
      const turns = await store.takeMetadataTurns(db, {
        partitions: [...leases.held('partition')],
        chains: chains.ids,
        except: [...active.keys()],
        limit: free,
      })
      for (const turn of turns) {
        const work = runTurn(options, turn).finally(() => {
          active.delete(turn.id)
          waker.wake()
        })
        active.set(turn.id, work)
      }
    }
    return swept ? 'moved' : 'idle'
  }

  await run({
    name: 'metadata',
    step: tick,
    idleMs: 1_000,
    waker,
    signal,
    log,
    async onError() {
      sweeping = undefined
    },
  })
  await Promise.all(active.values())
}

/** A slice of one collection: what is due, batch after batch, the next one's URIs read while this one's documents come. */
async function runTurn(options: ReadMetadataOptions, turn: store.MetadataTurn): Promise<void> {
  const { chains, db, log, signal } = options
  try {
    const { contracts } = await chains.open(turn.chainId, signal)
    const over = performance.now() + sliceMs
    let last: DueToken | undefined
    let before: Promise<void> = Promise.resolve()
    while (!signal.aborted && performance.now() < over) {
      const batch = await store.readDue(db, turn, last, urisAtOnce)
      if (batch.length === 0) break
      last = batch.at(-1)
      const uris = await readUris(contracts, turn, batch, signal)
      await before
      before = readBatch(options, turn, batch, uris)
      // Failures of this batch are met when it is waited for; until then nobody else listens.
      before.catch(() => undefined)
    }
    await before
    await store.endMetadataTurn(db, turn)
  } catch (err) {
    if (signal.aborted) return
    log.warn({ chain: String(turn.chainId), collection: turn.address, err }, 'metadata turn failed')
    const later = store.postponeMetadataTurn(db, turn, postponeSeconds)
    await later.catch((failure: unknown) => log.error({ collection: turn.address, err: failure }, 'turn not postponed'))
  }
}

async function readUris(
  contracts: ContractReader,
  turn: store.MetadataTurn,
  batch: readonly DueToken[],
  signal: AbortSignal,
): Promise<(string | undefined)[]> {
  const ids = batch.map((token) => token.tokenId)
  return contracts.tokenUris(turn.address, turn.standard, ids, signal)
}

async function readBatch(
  options: ReadMetadataOptions,
  turn: store.MetadataTurn,
  batch: readonly DueToken[],
  uris: readonly (string | undefined)[],
): Promise<void> {
  const { origins, settings, signal } = options
  const settle = createSettler(options, turn)
  let next = 0
  async function lane(): Promise<void> {
    for (let i = next++; i < batch.length && !signal.aborted; i = next++) {
      const token = batch[i]!
      const uri = uris[i]
      const fetched: Fetched =
        uri === undefined
          ? {
              kind: 'permanent',
              reason: `${turn.standard === 'ERC1155' ? 'uri' : 'tokenURI'} reverts or gives no text`,
            }
          : await fetchDocument(origins, uri, token.tokenId, signal)
      await settle.add({ token, outcome: outcomeOf(settings, token, uri ?? null, fetched), at: new Date() })
    }
  }
  await Promise.all(Array.from({ length: Math.min(settings.concurrentDocuments, batch.length) }, lane))
  await settle.end()
}

function outcomeOf(settings: MetadataSettings, token: DueToken, uri: string | null, fetched: Fetched): Outcome {
  if (fetched.kind === 'document') return { state: 'ok', uri: uri ?? '', document: fetched.document }
  if (fetched.kind === 'permanent') return { state: 'permanent', uri, reason: fetched.reason }
  const { reason, retryAfterMs } = fetched
  if (fetched.kind === 'busy')
    return { state: 'failed', uri, reason, retryAt: inMs(Math.max(250, fetched.retryAfterMs)), counted: false }
  const delay = retryDelay(settings.retryDelaysMs, token.attempts, retryAfterMs)
  return { state: 'failed', uri, reason, retryAt: inMs(delay), counted: true }
}

function inMs(ms: number): Date {
  return new Date(Date.now() + ms)
}

/** Stores outcomes as they come, some at once, one transaction after another. */
function createSettler(options: ReadMetadataOptions, turn: store.MetadataTurn) {
  const { db, leases, metrics, log } = options
  let waiting: Settled[] = []
  let storing: Promise<void> = Promise.resolve()
  let storedAt = performance.now()

  function flush(): Promise<void> {
    const settled = waiting
    waiting = []
    storedAt = performance.now()
    storing = storing.then(async () => {
      const worker = leases.held('partition').has(BigInt(turn.partition)) ? leases.workerId() : undefined
      if (settled.length === 0 || worker === undefined) return
      if (!(await settleMetadata(db, { collection: turn, worker, settled }))) return
      for (const { outcome } of settled) metrics.metadata.inc({ state: outcome.state })
      const failed = settled.find(({ outcome }) => outcome.state !== 'ok')
      log.debug(
        {
          collection: turn.address,
          tokens: settled.length,
          ...(failed &&
            failed.outcome.state !== 'ok' && { token: String(failed.token.tokenId), reason: failed.outcome.reason }),
        },
        'metadata stored',
      )
    })
    return storing
  }

  return {
    async add(one: Settled): Promise<void> {
      waiting.push(one)
      if (waiting.length >= settledAtOnce || performance.now() - storedAt > settleEveryMs) await flush()
    },
    end: flush,
  }
}
