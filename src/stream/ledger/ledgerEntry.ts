import type { Transaction } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { chunksOf } from '../../util/chunksOf.ts'
import { hexToBuffer } from '../../util/hex.ts'
import type { WebhookKind } from '../query.ts'
import type { NewWebhook } from './newWebhook.ts'
import { webhookId } from './webhookId.ts'

/**
 * PostgreSQL channel that notifies the delivering process after a commit. A notification is a comma-separated list.
 * `id:chain` (hex): a stream with webhooks to send. `id:chain:taken`: a stream whose webhooks a reorg retracted. `id`:
 * a stream whose address, secret, status or retries changed. An empty one means "check everything".
 */
export const webhookChannel = 'mintmark_webhooks'

/** Marks a stream and chain in a notification whose webhooks a reorg retracted. */
export const takenBack = 'taken'

/** The payload of NOTIFY is less than 8,000 bytes. */
const namesPerNotify = 120

/** A ledger row to write: a new webhook or a retraction. */
export type LedgerEntry = Omit<NewWebhook, 'kind'> & { kind: WebhookKind; flips: number }

type Total = Pick<NewWebhook, 'partition' | 'streamId' | 'chainId'> & {
  matched: number
  dropped: number
  logs: number
  txs: number
  txsInternal: number
}

/** Collects counters by stream and chain. */
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

/**
 * Adds to the counters. Must be called before the counted entries are written, as it locks their streams and chains.
 */
export async function addTotals(tx: Transaction, totals: readonly Total[], now: Date): Promise<void> {
  if (totals.length === 0) return
  await tx.run(countMatched, [now, ...total.lists(totals)])
  const spans = totals.filter((t) => t.logs + t.txs + t.txsInternal !== 0)
  if (spans.length > 0) await tx.run(countMatchedSpans, [now, ...spanTotal.lists(spans)])
}

/**
 * Writes entries in order, and notifies the delivering process. Returns and omits those that the ledger already had.
 */
export async function insertEntries<E extends LedgerEntry>(
  tx: Transaction,
  given: readonly E[],
  now: Date,
): Promise<E[]> {
  if (given.length === 0) return []
  const places = (await tx.rows<[bigint]>(takePositions, [given.length])).map(([p]) => p)
  places.sort((a, b) => (a < b ? -1 : 1))
  const rows = given.map((entry, i) => ({
    entry,
    id: webhookId(entry),
    position: places[i]!,
    bodyBytes: Buffer.byteLength(entry.body),
  }))
  const inserted = await tx.rows<[bigint]>(insertWebhooks, [now, ...webhook.lists(rows)])
  const written = new Set(inserted.map(([position]) => position))
  await insertPending(
    tx,
    rows.filter(({ position }) => written.has(position)),
  )
  return rows.filter(({ position }) => !written.has(position)).map(({ entry }) => entry)
}

type Row = { entry: LedgerEntry; id: string; position: bigint; bodyBytes: number }

async function insertPending(tx: Transaction, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const sizes = rows.map(({ bodyBytes }) => bodyBytes)
  for (const [from, to] of slicesBySize(sizes, bytesPerStatement)) await writeBodies(tx, rows.slice(from, to))
  await tx.run(insertQueue, queued.lists(rows))
  await notify(
    tx,
    rows.map(
      ({ entry: e }) => `${e.streamId}:${e.chainId.toString(16)}${e.kind === 'retraction' ? `:${takenBack}` : ''}`,
    ),
  )
}

/** Writes bodies, except those that differ from their twin's body only in `confirmed`. */
async function writeBodies(tx: Transaction, rows: readonly Row[]): Promise<void> {
  const twins = rows.filter(({ entry }) => twinOf(entry) !== null)
  const same = twins.length === 0 ? [] : await tx.fresh.rows<[bigint]>(insertSame, twin.lists(twins))
  const done = new Set(same.map(([position]) => position))
  const own = rows.filter(({ position }) => !done.has(position))
  if (own.length > 0) await tx.run(insertBodies, body.lists(own))
}

/** Notifies the delivering process that the address, secret, status or retries of streams changed. */
export function notifyStreams(tx: Pick<Transaction, 'rows'>, streamIds: readonly string[]): Promise<void> {
  return notify(tx, streamIds)
}

async function notify(tx: Pick<Transaction, 'rows'>, names: readonly string[]): Promise<void> {
  for (const some of chunksOf(new Set(names), namesPerNotify))
    await tx.rows('SELECT pg_notify($1, $2)', [webhookChannel, some.join(',')])
}

// The statements in the order of a transaction, each after its row lists.

const totalKey = {
  partition: list.int2((t: Total) => t.partition),
  stream_id: list.uuid((t: Total) => t.streamId),
  chain_id: list.int8((t: Total) => t.chainId),
}
const totalSums = {
  logs: list.int8((t: Total) => t.logs),
  txs: list.int8((t: Total) => t.txs),
  txs_internal: list.int8((t: Total) => t.txsInternal),
}
const total = defineLists<Total>({
  ...totalKey,
  matched: list.int8((t) => t.matched),
  dropped: list.int8((t) => t.dropped),
  ...totalSums,
})

/**
 * Adds to the matched counters, and locks each stream and chain until the transaction ends, so that positions are
 * committed in order.
 */
const countMatched = `
INSERT INTO webhook_matched AS m (${total.columns}, updated_at)
SELECT v.*, $1::timestamptz FROM ${total.unnest(2)}
ORDER BY partition, stream_id, chain_id
ON CONFLICT (partition, stream_id, chain_id) DO UPDATE SET
  matched = m.matched + excluded.matched, dropped = m.dropped + excluded.dropped, logs = m.logs + excluded.logs,
  txs = m.txs + excluded.txs, txs_internal = m.txs_internal + excluded.txs_internal, updated_at = excluded.updated_at`

const spanTotal = defineLists<Total>({ ...totalKey, ...totalSums })

const countMatchedSpans = `
INSERT INTO webhook_matched_span AS m (${spanTotal.columns}, step, at)
SELECT v.*, step, date_trunc(step, $1::timestamptz, 'UTC') FROM ${spanTotal.unnest(2)}, unnest(ARRAY['minute', 'hour']) step
ORDER BY partition, stream_id, chain_id, step
ON CONFLICT (partition, stream_id, step, at, chain_id) DO UPDATE SET
  logs = m.logs + excluded.logs, txs = m.txs + excluded.txs, txs_internal = m.txs_internal + excluded.txs_internal`

const takePositions = `SELECT nextval('webhook_position') FROM generate_series(1, $1::int)`

const rowKey = {
  partition: list.int2(({ entry }: Row) => entry.partition),
  position: list.int8(({ position }: Row) => position),
}
const rowOfStream = {
  ...rowKey,
  stream_id: list.uuid(({ entry }: Row) => entry.streamId),
  chain_id: list.int8(({ entry }: Row) => entry.chainId),
  id: list.uuid(({ id }: Row) => id),
  live: list.bool(({ entry }: Row) => entry.live),
  part: list.int4(({ entry }: Row) => entry.part),
  parts: list.int4(({ entry }: Row) => entry.parts),
}
const webhook = defineLists<Row>({
  ...rowOfStream,
  block_number: list.int8(({ entry }) => entry.blockNumber),
  block_hash: list.bytea(({ entry }) => hexToBuffer(entry.blockHash)),
  kind: list.text(({ entry }) => entry.kind),
  flips: list.int4(({ entry }) => entry.flips),
  logs: list.int4(({ entry }) => entry.counts.logs),
  txs: list.int4(({ entry }) => entry.counts.txs),
  txs_internal: list.int4(({ entry }) => entry.counts.txsInternal),
})

/**
 * A webhook with an existing id is not changed and not returned. After a retraction it has another id, by its flips.
 */
const insertWebhooks = `
INSERT INTO webhook (${webhook.columns}, created_at) SELECT v.*, $1::timestamptz FROM ${webhook.unnest(2)}
ON CONFLICT (partition, id) DO NOTHING RETURNING position`

const body = defineLists<Row>({ ...rowKey, body: list.text(({ entry }) => entry.body) })

const insertBodies = `INSERT INTO webhook_text (${body.columns}) SELECT * FROM ${body.unnest()}`

/** The id of the unconfirmed webhook of the same match; null: most webhooks of history have none. */
const twinOf = (entry: LedgerEntry) =>
  entry.live && entry.kind === 'confirmed' ? webhookId({ ...entry, kind: 'unconfirmed' }) : null

const twin = defineLists<Row>({
  ...rowKey,
  body: list.text(({ entry }) => entry.body),
  twin: list.uuid(({ entry }) => twinOf(entry)),
})

/** Records which bodies equal their twins', and returns their positions. */
const insertSame = `
INSERT INTO webhook_text (partition, position, body, same_as)
SELECT w.partition, v.position, '', t.position
FROM ${twin.unnest()} JOIN webhook w ON w.partition = v.partition AND w.id = v.twin
  JOIN webhook_text t ON t.partition = w.partition AND t.position = w.position
WHERE t.same_as IS NULL AND '{"confirmed":true' || substr(t.body, 19) = v.body
RETURNING position`

const queued = defineLists<Row>({
  ...rowOfStream,
  body_bytes: list.int4(({ bodyBytes }) => bodyBytes),
  retraction: list.bool(({ entry }) => entry.kind === 'retraction'),
})

const insertQueue = `
INSERT INTO webhook_queue (${queued.columns}, replay) SELECT v.*, 0 FROM ${queued.unnest()}`

/** Bytes of bodies per statement: this process and the server each hold all of them in one message, and PostgreSQL refuses one above 1 GB. */
export const bytesPerStatement = 33_554_432

/** Splits a list by item sizes into slices [from, to), each of at most `most` in all, or of one item. */
export function* slicesBySize(sizes: readonly number[], most: number): Generator<[number, number]> {
  let from = 0
  let sum = 0
  for (const [i, size] of sizes.entries()) {
    if (i > from && sum + size > most) {
      yield [from, i]
      from = i
      sum = 0
    }
    sum += size
  }
  if (from < sizes.length) yield [from, sizes.length]
}
