import type { Database } from '../../db/database.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import type { GuardedClient } from '../../net/client.ts'
import { describeError } from '../../util/errors.ts'
import type { Log } from '../../util/log.ts'
import { createWaker, type Waker } from '../../util/wait.ts'
import { readOperationsSecret } from '../settings/operationsSecret.ts'
import { signOperationalWebhook } from '../sign/signWebhook.ts'

export type SendOperationalOptions = {
  db: Database
  client: Pick<GuardedClient, 'post'>
  url: string
  settings: { timeoutMs: number }
  log: Log
  /** Milliseconds since 1970. */
  clock?: () => number
  signal: AbortSignal
}

const everyMs = 1_000

/** Delays before retries of an operational webhook. After the last one it is dropped. */
const retryDelaysMs = [5_000, 30_000, 120_000, 600_000]

/** Older operational webhooks are deleted: old news is useless after the server was stopped or had no address. */
const longestMs = 3_600_000

const dueRow = defineRow({
  seq: column.int8('seq'),
  id: column.uuid('id'),
  body: column.text('body'),
  failures: column.int2('failures'),
})

/**
 * An operational webhook that this process took; `dueAt` is when others may take it, and in the row it shows that none
 * did.
 */
type TakenWebhook = RowOf<typeof dueRow> & { dueAt: Date; takenAt: number }

/**
 * Posts operational webhooks one at a time, signed like webhooks, at least once each. It shares only the HTTP client
 * with the delivery of webhooks, so a dead address delays no webhook. Ends with the signal.
 */
export function sendOperationalWebhooks(options: SendOperationalOptions): { wake: Waker['wake']; done: Promise<void> } {
  const { db, client, url, settings, log, clock = Date.now, signal } = options
  const waker = createWaker()

  /**
   * Takes the next due operational webhook, for longer than a post can take, so that no other process posts it
   * meanwhile.
   */
  async function take(): Promise<TakenWebhook | undefined> {
    const now = clock()
    const takenAt = performance.now()
    const dueAt = new Date(now + 2 * settings.timeoutMs)
    await db.run('DELETE FROM operation_notice WHERE created_at < $1', [new Date(now - longestMs)])
    const [row] = await db.rows(
      `UPDATE operation_notice SET due_at = $2 WHERE seq = (
         SELECT seq FROM operation_notice WHERE due_at <= $1 ORDER BY seq LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING ${dueRow.columns}`,
      [new Date(now), dueAt],
    )
    return row && { ...dueRow.decode(row), dueAt, takenAt }
  }

  /** Posts an operational webhook. Returns the error, undefined on success. */
  async function post({ id, body, takenAt }: TakenWebhook): Promise<string | undefined> {
    const secret = await readOperationsSecret(db)
    try {
      const headers = signOperationalWebhook({ id, body, now: clock(), secret })
      const { status } = await client.post(url, body, headers, {
        signal,
        timeoutMs: settings.timeoutMs,
        // If this process was frozen since, another one has taken the operational webhook.
        maySend: () => performance.now() - takenAt < settings.timeoutMs,
      })
      return status >= 200 && status < 300 ? undefined : `answered ${status}`
    } catch (error) {
      signal.throwIfAborted()
      return describeError(error)
    }
  }

  async function send(webhook: TakenWebhook): Promise<void> {
    const failure = await post(webhook)
    const delay = failure === undefined ? undefined : retryDelaysMs[webhook.failures]
    if (failure !== undefined) log.warn({ failure, again: delay !== undefined }, 'operational webhook failed')
    if (delay === undefined)
      await db.run('DELETE FROM operation_notice WHERE seq = $1 AND due_at = $2', [webhook.seq, webhook.dueAt])
    else
      await db.run('UPDATE operation_notice SET failures = failures + 1, due_at = $2 WHERE seq = $1 AND due_at = $3', [
        webhook.seq,
        new Date(clock() + delay),
        webhook.dueAt,
      ])
  }

  async function work(): Promise<void> {
    while (!signal.aborted) {
      try {
        for (let webhook = await take(); webhook && !signal.aborted; webhook = await take()) await send(webhook)
      } catch (err) {
        if (!signal.aborted) log.warn({ err }, 'operational webhooks not sent')
      }
      await waker.wait(everyMs, signal)
    }
  }
  return { wake: waker.wake, done: work() }
}
