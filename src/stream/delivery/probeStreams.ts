import type { Database } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import type { Log } from '../../util/log.ts'
import { createWaker, type Waker } from '../../util/wait.ts'
import type { Attempt } from '../ledger/attempt.ts'
import type { Clock, MakeAttempt } from './attempt/createAttempt.ts'
import { loadOldest, type QueuedWebhook, withIndexes } from './attempt/loadWebhooks.ts'
import { readTargets, type Target } from './attempt/target.ts'
import type { ClaimOwner, Claims } from './queues/claims.ts'
import type { Sender } from './queues/createSender.ts'

export type ProbeOptions = {
  db: Database
  leases: Leases
  log: Log
  clock: Clock
  random: () => number
  claims: Claims<ClaimOwner>
  attempt: MakeAttempt
  sender: Pick<Sender, 'pause' | 'paused'>
  /** Whether this process may currently send for a partition's streams. */
  holds(partition: number): boolean
  settings: { probeDelaysMs: readonly number[] }
  onAttempt(attempt: Attempt): void
  /** Starts no further probes. */
  signal: AbortSignal
  /** Aborts running probes. */
  posting: AbortSignal
}

/** Poll interval for due probes. */
const everyMs = 1_000
/** Most parallel probes. */
const mostTogether = 32

const dueRow = defineRow({
  partition: column.int2('due.partition'),
  streamId: column.uuid('due.stream_id'),
  url: column.text('due.webhook_url'),
  probes: column.int4('due.probes'),
})

type Probed = RowOf<typeof dueRow>

/** Whether a probe is due. Usually none is, which saves `selectDue`: on a cluster it takes four times as long. */
const selectAnyDue = `
SELECT 1 FROM webhook_delivered d WHERE d.probe_at <= $2 AND d.partition = ANY($1::smallint[]) LIMIT 1`

/** Streams in error with a due probe and a pending webhook, one per address: the longest overdue, at most $4. */
const selectDue = `
SELECT ${dueRow.columns} FROM (
  SELECT DISTINCT ON (s.webhook_url) d.partition, d.stream_id, s.webhook_url, d.probes, d.probe_at
  FROM webhook_delivered d JOIN stream s ON s.partition = d.partition AND s.id = d.stream_id
  WHERE d.probe_at <= $2 AND d.partition = ANY($1::smallint[]) AND s.status = 'error' AND s.webhook_url <> ALL($3::text[])
    AND EXISTS (SELECT 1 FROM webhook_queue q WHERE q.partition = d.partition AND q.stream_id = d.stream_id)
  ORDER BY s.webhook_url, d.probe_at) due
ORDER BY due.probe_at LIMIT $4`

const nextProbes = defineLists<Probed & { next: Date }>({
  partition: list.int2((stream) => stream.partition),
  stream_id: list.uuid((stream) => stream.streamId),
  probes: list.int4((stream) => stream.probes),
  next_at: list.timestamptz((stream) => stream.next),
})

/**
 * Claims due probes, if no other process has. Not in one statement with `selectDue`: planning such an UPDATE crashes PostgreSQL 15 with Citus 13.2.
 */
const claimDue = `
UPDATE webhook_delivered d SET probes = d.probes + 1, probe_at = v.next_at
FROM ${nextProbes.unnest(2)} WHERE d.partition = v.partition AND d.stream_id = v.stream_id AND d.probes = v.probes AND d.probe_at <= $1
RETURNING d.stream_id`

/**
 * Probes streams in error, less and less often: sends the oldest pending webhook, which does not count against its
 * schedule. A 2xx activates the stream (`settleProbe`).
 */
export function probeStreams(options: ProbeOptions): { wake: Waker['wake']; done: Promise<void> } {
  const { db, leases, log, clock, random, claims, attempt, sender, holds, settings, onAttempt, signal, posting } =
    options
  const waker = createWaker()
  /**
   * Running probes by address: a hanging one occupies one place of `mostTogether`, and delays only streams of its
   * address.
   */
  const underWay = new Map<string, Promise<void>>()

  async function take(): Promise<Probed[]> {
    // Varies by a tenth, so that streams that stopped together are not probed together.
    const jitter = 0.9 + random() / 5
    const held = [...leases.held('delivery')]
    const now = clock()
    const values = [held, new Date(now)]
    if ((await db.rows(selectAnyDue, values)).length === 0) return []
    const omitted = [...sender.paused(), ...underWay.keys()]
    const rows = await db.rows(selectDue, [...values, omitted, mostTogether - underWay.size])
    const due = rows.map(dueRow.decode)
    const delays = settings.probeDelaysMs
    const nextOf = ({ probes }: Probed) => new Date(now + delays[Math.min(probes + 1, delays.length - 1)]! * jitter)
    const next = nextProbes.lists(due.map((stream) => ({ ...stream, next: nextOf(stream) })))
    const claimed = await db.rows<[string]>(claimDue, [new Date(now), ...next])
    const ids = new Set(claimed.map(([id]) => id))
    return due.filter(({ streamId }) => ids.has(streamId))
  }

  /**
   * undefined if the stream was resumed, the webhook has a running attempt, or another process now delivers the stream.
   */
  async function load(stream: Probed): Promise<{ webhook: QueuedWebhook; target: Target } | undefined> {
    const [target] = await readTargets(db, [stream.streamId], new Date(clock()))
    if (target?.status !== 'error') return undefined
    return claims.reading(async () => {
      const webhook = await withIndexes(db, (tx) => loadOldest(tx, stream))
      if (!webhook || !holds(stream.partition)) return undefined
      return claims.take({ held: 0, stream }, webhook) ? { webhook, target } : undefined
    })
  }

  async function probe(stream: Probed): Promise<void> {
    const loaded = await load(stream)
    if (!loaded) return
    const { webhook, target } = loaded
    const { partition, streamId } = stream
    claims.move(webhook, 'send')
    try {
      const sent = await attempt(webhook, target, { maySend: () => holds(partition), signal: posting })
      if (!sent) return claims.move(webhook, 'abort')
      const { at, ms, outcome, pauseMs, retryAfterMs } = sent
      claims.move(webhook, 'complete')
      if (pauseMs !== undefined) sender.pause(target.url, pauseMs)
      const { chainId, position, replay, failures } = webhook
      const notBefore = retryAfterMs === undefined ? undefined : new Date(clock() + retryAfterMs)
      const made = { number: failures + 1, urlHash: target.urlHash, at, ms, outcome, pauseMs, probe: { notBefore } }
      onAttempt({ partition, streamId, chainId, position, replay, ...made })
    } catch (error) {
      if (!posting.aborted) throw error
      claims.move(webhook, 'abort')
    }
  }

  function failed(err: unknown): void {
    if (!signal.aborted) log.warn({ err }, 'stream probe failed')
  }

  function begin(stream: Probed): void {
    const ended = probe(stream)
      .catch(failed)
      .finally(() => {
        if (underWay.size === mostTogether) waker.wake()
        underWay.delete(stream.url)
      })
    underWay.set(stream.url, ended)
  }

  async function work(): Promise<void> {
    while (!signal.aborted) {
      try {
        if (underWay.size < mostTogether) for (const stream of await take()) begin(stream)
      } catch (err) {
        failed(err)
      }
      await waker.wait(everyMs, signal)
    }
    await Promise.all(underWay.values())
  }
  return { wake: waker.wake, done: work() }
}
