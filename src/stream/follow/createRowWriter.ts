import type { Database, Transaction } from '../../db/database.ts'
import { ReadAgainError } from '../../sync/blockHandler.ts'
import { isRowFault } from '../../util/faults/inputFault.ts'
import { shownReason } from '../../util/faults/shownReason.ts'
import type { Log } from '../../util/log.ts'
import { pauseStreams } from '../definition/pauseStreams.ts'
import type { NewWebhook } from '../ledger/newWebhook.ts'

type Insert = (webhooks: readonly NewWebhook[]) => Promise<void>

/** Writes webhooks of many streams in one transaction, so that rejected rows of one stream stop no other stream. */
export type RowWriter = {
  /**
   * Writes webhooks by `insert`, in one batch. If the database rejects rows, it throws ReadAgainError, and the next
   * call writes stream by stream to find the rejected ones. It omits rows of streams that are not followed any more
   * (with `isReleasing`: of any stream), and logs that.
   */
  write(
    tx: Transaction,
    webhooks: readonly NewWebhook[],
    insert: Insert,
    options?: { isReleasing: boolean },
  ): Promise<void>
  /** Pauses streams with rejected rows, with the reason, in separate transactions; they keep their place. */
  pauseRejected(): Promise<void>
  /** The transaction was committed: the next call writes one batch again. */
  committed(): void
}

export function createRowWriter(options: {
  db: Database
  log: Log
  /** Whether a stream is followed: pausing it then prevents its rows from being matched again. */
  follows: (streamId: string) => boolean
}): RowWriter {
  const { db, log, follows } = options
  const rejected = new Map<string, unknown>()
  let apart = false

  async function writeApart(
    tx: Transaction,
    webhooks: readonly NewWebhook[],
    insert: Insert,
    isReleasing: boolean,
  ): Promise<void> {
    for (const [streamId, own] of Map.groupBy(webhooks, (webhook) => webhook.streamId)) {
      await tx.run('SAVEPOINT stream_rows')
      try {
        await insert(own)
      } catch (error) {
        if (!isRowFault(error)) throw error
        await tx.run('ROLLBACK TO SAVEPOINT stream_rows')
        if (!isReleasing && follows(streamId)) rejected.set(streamId, error)
        else log.error({ stream: streamId, webhooks: own.length, err: error }, 'webhooks not stored')
      }
      await tx.run('RELEASE SAVEPOINT stream_rows')
    }
    if (rejected.size > 0) throw new ReadAgainError('rows of some streams are refused')
  }

  return {
    async write(tx, webhooks, insert, { isReleasing } = { isReleasing: false }) {
      if (webhooks.length === 0) return
      if (apart) return writeApart(tx, webhooks, insert, isReleasing)
      try {
        await insert(webhooks)
      } catch (cause) {
        if (!isRowFault(cause)) throw cause
        apart = true
        throw new ReadAgainError('rows of a stream are refused', { cause })
      }
    },
    async pauseRejected() {
      for (const [streamId, error] of rejected) {
        const reason = `paused: its matches cannot be stored: ${shownReason(error)}`
        const paused = await pauseStreams(db, [streamId], reason)
        log.warn({ streams: paused, err: error }, 'streams paused')
        rejected.delete(streamId)
      }
    },
    committed() {
      apart = false
    },
  }
}
