import { shownReason } from '../../util/faults/shownReason.ts'
import { writeByHalves } from '../../util/faults/writeByHalves.ts'
import { type Settled, uriOf } from './parse/outcome.ts'
import type { ReadMetadataOptions } from './readMetadataOptions.ts'
import type { MetadataSlice } from './store/metadataStore.ts'
import { metadataRetryDelay } from './store/schedule.ts'
import { settleMetadata } from './store/settleMetadata.ts'

/** Outcomes per transaction: few, so that a crash loses little, but enough to keep transactions cheap. */
const settledAtOnce = 500

/** Most characters of metadata per transaction. */
const settledLength = 4_194_304

/** Longest wait of an outcome for others. */
const settleEveryMs = 150

/**
 * The same while requests need all time of this process. Each transaction invalidates all cached pages of the collection: seven transactions a second
 * cost readers of one page a third of their throughput.
 */
const settleBusyMs = 1_500

export type MetadataSettler = {
  /** Waits only while more outcomes than one transaction takes wait for the database. */
  add(one: Settled): Promise<void>
  /** Resolves when all outcomes are stored. Throws the error that prevented it. */
  end(): Promise<void>
}

/** Stores the outcomes of a time slice as they arrive, in consecutive transactions. */
export function createMetadataSettler(
  {
    db,
    leases,
    settings,
    isBusy,
    metrics,
    log,
  }: Pick<ReadMetadataOptions, 'db' | 'leases' | 'settings' | 'isBusy' | 'metrics' | 'log'>,
  slice: MetadataSlice,
): MetadataSettler {
  let waiting: Settled[] = []
  let length = 0
  let timer: NodeJS.Timeout | undefined
  let storing: Promise<void> = Promise.resolve()

  async function store(settled: Settled[]): Promise<void> {
    const worker = leases.serving(slice)
    if (settled.length === 0 || worker === undefined) return
    if (!(await storeAll(settled, worker))) return
    for (const { outcome } of settled) metrics.metadata.inc({ state: outcome.state })
    const failed = settled.find(({ outcome }) => outcome.state !== 'ok')
    const example = failed?.outcome.state !== 'ok' && {
      token: String(failed?.token.tokenId),
      reason: failed?.outcome.reason,
    }
    log.debug({ collection: slice.address, tokens: settled.length, ...example }, 'metadata stored')
  }

  /** False if the lease is lost. If the database rejects the content of metadata, a failure is stored instead. */
  async function storeAll(settled: readonly Settled[], worker: number): Promise<boolean> {
    const { coolOffMs } = settings
    const write = (part: readonly Settled[]) =>
      settleMetadata(db, { collection: slice, worker, settled: part, coolOffMs })
    const parts = await writeByHalves(settled, write, (one, error) => {
      if (one.outcome.state !== 'ok') throw error
      log.error({ collection: slice.address, token: String(one.token.tokenId), err: error }, 'metadata not stored')
      return write([rejected(one, error)])
    })
    return parts.every((isStored) => isStored)
  }

  function rejected({ token, at }: Settled, error: unknown): Settled {
    const delay = metadataRetryDelay(settings.retryDelaysMs, token.attempts, undefined)
    const retryAt = new Date(at.getTime() + delay)
    return { token, at, outcome: { state: 'failed', uri: null, reason: shownReason(error), retryAt } }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const before = storing
    // Outcomes are taken when their transaction begins: while the database is slow, each transaction takes more.
    storing = before.then(() => {
      const settled = waiting
      waiting = []
      length = 0
      return store(settled)
    })
    // The next call of `add` or `end` throws the error.
    storing.catch(() => undefined)
    return before
  }

  return {
    async add(one) {
      waiting.push(one)
      length += lengthOf(one)
      if (waiting.length >= settledAtOnce || length >= settledLength) await flush()
      else timer ??= setTimeout(flush, isBusy() ? settleBusyMs : settleEveryMs)
    },
    async end() {
      await flush()
      await storing
    },
  }
}

function lengthOf({ outcome }: Settled): number {
  const ofMetadata =
    outcome.state === 'ok' ? (outcome.metadata.text?.length ?? 0) + outcome.metadata.normalized.length : 0
  return (uriOf(outcome)?.length ?? 0) + ofMetadata
}
