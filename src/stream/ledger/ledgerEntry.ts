import type { Transaction } from '../../db/database.ts'
import { hexToBuffer } from '../../util/hex.ts'
import type { NewWebhook, WebhookKind } from './newWebhook.ts'
import { bytesPerStatement, slicesBySize } from './slicesBySize.ts'
import { webhookId } from './webhookId.ts'

/**
 * Postgres tells the delivering process, once a transaction is committed, by commas: `id:chain` (in hex) of streams that have webhooks to
 * send, `id:chain:taken` where a reorganisation took some back, `id` of streams whose address, secret, status or retries changed.
 * Nothing at all means "look at everything".
 */
export const webhookChannel = 'mintmark_webhooks'

/** Ends the name of a stream and chain of which a reorganisation took webhooks back. */
export const takenBack = 'taken'

/** A NOTIFY holds less than 8,000 bytes. */
const namesPerNotify = 120

/** A webhook that is written to the ledger, a retraction among them. */
export type LedgerEntry = Omit<NewWebhook, 'kind'> & { kind: WebhookKind; flips: number }

type Total = Pick<NewWebhook, 'partition' | 'streamId' | 'chainId'> & {
  matched: number
  dropped: number
  logs: number
  txs: number
  txsInternal: number
}

/** What is counted for streams and chains, by both. */
export function createTotals(): {
  of(key: Pick<NewWebhook, 'partition' | 'streamId' | 'chainId'>): Total
  all(): Total[]
} {
  const totals = new Map<string, Total>()
  return {
    of({ partition, streamId, chainId }) {
      const key = `${streamId}:${chainId}`
      let total = totals.get(key)
      if (!total) {
        total = { partition, streamId, chainId, matched: 0, dropped: 0, logs: 0, txs: 0, txsInternal: 0 }
        totals.set(key, total)
      }
      return total
    },
    all: () => [...totals.values()],
  }
}

/** Adds to the counters. Comes before the entries that it counts, since it holds their streams. */
export async function addTotals(tx: Transaction, totals: readonly Total[], now: Date): Promise<void> {
  if (totals.length === 0) return
  const [partitions, streams, chains] = [
    totals.map((t) => t.partition),
    totals.map((t) => t.streamId),
    totals.map((t) => t.chainId),
  ]
  const sums = [totals.map((t) => t.logs), totals.map((t) => t.txs), totals.map((t) => t.txsInternal)]
  await tx.run(countMatched, [
    partitions,
    streams,
    chains,
    totals.map((t) => t.matched),
    totals.map((t) => t.dropped),
    ...sums,
    now,
  ])
  const spans = totals.filter((t) => t.logs + t.txs + t.txsInternal !== 0)
  if (spans.length === 0) return
  await tx.run(countMatchedSpans, [
    spans.map((t) => t.partition),
    spans.map((t) => t.streamId),
    spans.map((t) => t.chainId),
    spans.map((t) => t.logs),
    spans.map((t) => t.txs),
    spans.map((t) => t.txsInternal),
    now,
  ])
}

/**
 * Writes entries in their order, and tells the delivering process once the transaction is committed. Answers those that are left out, since
 * they stand there already.
 */
export async function insertEntries<E extends LedgerEntry>(
  tx: Transaction,
  given: readonly E[],
  now: Date,
): Promise<E[]> {
  if (given.length === 0) return []
  const places = (await tx.rows<[bigint]>(takePositions, [given.length])).map(([p]) => p)
  places.sort((a, b) => (a < b ? -1 : 1))
  const rows = given.map((entry, i) => ({ entry, id: webhookId(entry), position: places[i]! }))
  const written = await insertRows(tx, rows, now)
  await insertOwed(
    tx,
    rows.filter(({ position }) => written.has(position)),
  )
  return rows.filter(({ position }) => !written.has(position)).map(({ entry }) => entry)
}

type Row = { entry: LedgerEntry; id: string; position: bigint }

/** Answers the positions of those that are new. */
async function insertRows(tx: Transaction, rows: readonly Row[], now: Date): Promise<Set<bigint>> {
  const entries = rows.map(({ entry }) => entry)
  const written = await tx.rows<[bigint]>(insertWebhooks, [
    entries.map((e) => e.partition),
    rows.map(({ position }) => position),
    entries.map((e) => e.streamId),
    entries.map((e) => e.chainId),
    entries.map((e) => e.blockNumber),
    entries.map((e) => hexToBuffer(e.blockHash)),
    entries.map((e) => e.kind),
    rows.map(({ id }) => id),
    entries.map((e) => e.flips),
    entries.map((e) => e.live),
    entries.map((e) => e.counts.logs),
    entries.map((e) => e.counts.txs),
    entries.map((e) => e.counts.txsInternal),
    entries.map((e) => e.part),
    entries.map((e) => e.parts),
    now,
  ])
  return new Set(written.map(([position]) => position))
}

async function insertOwed(tx: Transaction, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const entries = rows.map(({ entry }) => entry)
  const positions = rows.map(({ position }) => position)
  const partitions = entries.map((e) => e.partition)
  const streams = entries.map((e) => e.streamId)
  const chains = entries.map((e) => e.chainId)
  const ids = rows.map(({ id }) => id)
  const live = entries.map((e) => e.live)
  const part = entries.map((e) => e.part)
  const parts = entries.map((e) => e.parts)
  // Of history only the confirmed one is sent.
  const twins = entries.map((e) => (e.live && e.kind === 'confirmed' ? webhookId({ ...e, kind: 'unconfirmed' }) : null))
  const sizes = entries.map((e) => Buffer.byteLength(e.body))
  for (const [from, to] of slicesBySize(sizes, bytesPerStatement))
    await tx.run(insertBodies, [
      partitions.slice(from, to),
      positions.slice(from, to),
      entries.slice(from, to).map((e) => e.body),
      twins.slice(from, to),
    ])
  const retractions = entries.map((e) => e.kind === 'retraction')
  await tx.run(insertQueue, [partitions, streams, chains, positions, ids, live, sizes, retractions, part, parts])
  await notify(
    tx,
    entries.map((e) => `${e.streamId}:${e.chainId.toString(16)}${e.kind === 'retraction' ? `:${takenBack}` : ''}`),
  )
}

/** What the delivery of these streams depends on changed. */
export function notifyStreams(tx: Pick<Transaction, 'rows'>, streamIds: readonly string[]): Promise<void> {
  return notify(tx, streamIds)
}

async function notify(tx: Pick<Transaction, 'rows'>, names: readonly string[]): Promise<void> {
  const distinct = [...new Set(names)]
  for (let i = 0; i < distinct.length; i += namesPerNotify)
    await tx.rows('SELECT pg_notify($1, $2)', [webhookChannel, distinct.slice(i, i + namesPerNotify).join(',')])
}

// The statements, in the order in which a transaction runs them. Lists are unnested side by side.

/** Counts what was matched, and holds each stream and chain until the transaction ends: positions are committed in their order. */
const countMatched = `
INSERT INTO webhook_matched AS m (partition, stream_id, chain_id, matched, dropped, logs, txs, txs_internal, updated_at)
SELECT *, $9::timestamptz FROM unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])
  AS v (partition, stream_id, chain_id, matched, dropped, logs, txs, txs_internal)
ORDER BY partition, stream_id, chain_id
ON CONFLICT (partition, stream_id, chain_id) DO UPDATE SET
  matched = m.matched + excluded.matched, dropped = m.dropped + excluded.dropped, logs = m.logs + excluded.logs,
  txs = m.txs + excluded.txs, txs_internal = m.txs_internal + excluded.txs_internal, updated_at = excluded.updated_at`

const countMatchedSpans = `
INSERT INTO webhook_matched_span AS m (partition, stream_id, chain_id, logs, txs, txs_internal, step, at)
SELECT v.*, step, date_trunc(step, $7::timestamptz, 'UTC')
FROM unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
  AS v (partition, stream_id, chain_id, logs, txs, txs_internal), unnest(ARRAY['minute', 'hour']) step
ORDER BY partition, stream_id, chain_id, step
ON CONFLICT (partition, stream_id, step, at, chain_id) DO UPDATE SET
  logs = m.logs + excluded.logs, txs = m.txs + excluded.txs, txs_internal = m.txs_internal + excluded.txs_internal`

const takePositions = `SELECT nextval('webhook_position') FROM generate_series(1, $1::int)`

/** One that is there under its id, and was not retracted since, stands: it is not answered. */
const insertWebhooks = `
INSERT INTO webhook (partition, position, stream_id, chain_id, block_number, block_hash, kind, id, flips, live, logs, txs, txs_internal, part, parts, created_at)
SELECT *, $16::timestamptz FROM unnest($1::smallint[], $2::bigint[], $3::uuid[], $4::bigint[], $5::bigint[], $6::bytea[], $7::text[], $8::uuid[],
  $9::int[], $10::boolean[], $11::int[], $12::int[], $13::int[], $14::int[], $15::int[])
ON CONFLICT (partition, id) DO NOTHING RETURNING position`

/**
 * Bodies; $4 has the id of the unconfirmed webhook of the same match, or null. Where the body is that one's but for its beginning,
 * it is kept once.
 */
const insertBodies = `
INSERT INTO webhook_text (partition, position, body, same_as)
SELECT v.partition, v.position, CASE WHEN o.position IS NULL THEN v.body ELSE '' END, o.position
FROM unnest($1::smallint[], $2::bigint[], $3::text[], $4::uuid[]) AS v (partition, position, body, twin)
LEFT JOIN LATERAL (
  SELECT t.position FROM webhook w JOIN webhook_text t ON t.partition = w.partition AND t.position = w.position
  WHERE w.partition = v.partition AND w.id = v.twin AND t.same_as IS NULL AND '{"confirmed":true' || substr(t.body, 19) = v.body OFFSET 0
) o ON v.twin IS NOT NULL`

const insertQueue = `
INSERT INTO webhook_queue (partition, stream_id, chain_id, position, id, live, body_bytes, retraction, part, parts, replay)
SELECT *, 0 FROM unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::uuid[], $6::boolean[], $7::int[], $8::boolean[],
  $9::int[], $10::int[])`
