import { isInputFault } from '../../util/inputFault.ts'
import { shownReason } from '../../util/shownReason.ts'
import type { MetadataTurn } from './metadataStore.ts'
import type { Settled } from './outcome.ts'
import type { ReadMetadataOptions } from './readMetadata.ts'
import { retryDelay } from './retryDelay.ts'
import { settleMetadata } from './settleMetadata.ts'

/** Outcomes stored in one transaction: few enough that a death loses little, enough that a transaction costs little. */
const settledAtOnce = 500

/** The same in characters of documents. */
const settledLength = 4_194_304

/** Outcomes wait no longer than this for others. */
const settleEveryMs = 150

/**
 * The same while requests need all the time there is: every transaction makes all pages of the collection stale, and seven
 * a second of those cost readers of one page a third of their pages.
 */
const settleBusyMs = 1_500

export type Settler = {
  /** Waits only while more than one transaction's worth of others waits for the database. */
  add(one: Settled): Promise<void>
  /** When everything is stored. Throws what kept it from being. */
  end(): Promise<void>
}

/** Stores the outcomes of one turn as they come, some at once, one transaction after another. */
export function createSettler(
  {
    db,
    leases,
    settings,
    isBusy,
    metrics,
    log,
  }: Pick<ReadMetadataOptions, 'db' | 'leases' | 'settings' | 'isBusy' | 'metrics' | 'log'>,
  turn: MetadataTurn,
): Settler {
  let waiting: Settled[] = []
  let length = 0
  let timer: NodeJS.Timeout | undefined
  let storing: Promise<void> = Promise.resolve()

  async function store(settled: Settled[]): Promise<void> {
    const worker = leases.serving(turn)
    if (settled.length === 0 || worker === undefined) return
    if (!(await storeOrHalve(settled, worker))) return
    for (const { outcome } of settled) metrics.metadata.inc({ state: outcome.state })
    const failed = settled.find(({ outcome }) => outcome.state !== 'ok')
    const example = failed?.outcome.state !== 'ok' && {
      token: String(failed?.token.tokenId),
      reason: failed?.outcome.reason,
    }
    log.debug({ collection: turn.address, tokens: settled.length, ...example }, 'metadata stored')
  }

  /** Where the same outcomes would be refused again the one that is to blame is found by halves, and stored as a failure. */
  async function storeOrHalve(settled: Settled[], worker: number): Promise<boolean> {
    try {
      return await settleMetadata(db, { collection: turn, worker, settled })
    } catch (error) {
      if (!isInputFault(error)) throw error
      const half = settled.length >> 1
      if (half > 0)
        return (await storeOrHalve(settled.slice(0, half), worker)) && (await storeOrHalve(settled.slice(half), worker))
      const only = settled[0]!
      if (only.outcome.state !== 'ok') throw error
      log.error({ collection: turn.address, token: String(only.token.tokenId), err: error }, 'document not stored')
      return settleMetadata(db, { collection: turn, worker, settled: [refused(only, error)] })
    }
  }

  function refused({ token, at }: Settled, error: unknown): Settled {
    const delay = retryDelay(settings.retryDelaysMs, token.attempts, undefined)
    const retryAt = new Date(at.getTime() + delay)
    return { token, at, outcome: { state: 'failed', uri: null, reason: shownReason(error), retryAt, counted: true } }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const before = storing
    // What waits is taken when its turn comes, so that it grows while the database is slow.
    storing = before.then(() => {
      const settled = waiting
      waiting = []
      length = 0
      return store(settled)
    })
    // A failure is met by whoever adds or ends next.
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
  const { uri, ...rest } = outcome
  const document = rest.state === 'ok' ? rest.document.text.length + rest.document.normalized.length : 0
  return (uri?.length ?? 0) + document
}
