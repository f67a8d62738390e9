import type { Transaction } from '../../db/database.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import { bufferToHex, type Hex, hexToBuffer, quantity } from '../../util/hex.ts'
import { type QueuedKey, webhookKeys } from './deliveryKeys.ts'
import { addTotals, createTotals, insertEntries, type LedgerEntry } from './ledgerEntry.ts'
import { endedRow, endUndelivered } from './undelivered.ts'
import { bodyField, emptyLists } from './webhookBody.ts'
import { endAllDeliveries } from './writeAttempts.ts'

/** A webhook of a block that a reorganisation removed. */
const lostRow = defineRow({
  partition: column.int2('w.partition'),
  position: column.int8('w.position'),
  streamId: column.uuid('w.stream_id'),
  blockNumber: column.int8('w.block_number'),
  blockHash: column.bytea('w.block_hash').map(bufferToHex),
  kind: column.text('w.kind'),
  id: column.uuid('w.id'),
  flips: column.int4('w.flips'),
  part: column.int4('w.part'),
  parts: column.int4('w.parts'),
  timestamp: column.text(`coalesce(${bodyField.timestamp}, '')`),
  tag: column.text(`coalesce(${bodyField.tag}, '')`),
})

type Lost = RowOf<typeof lostRow>

/**
 * Retracts the webhooks of blocks, by number and hash, that a reorg removed. Enqueues one retraction of each part per
 * block and stream, latest block first, and drops unsent webhooks. Must be called before the webhooks of the new blocks
 * are enqueued, in the same transaction. Webhooks with the same block numbers but other hashes stay: they are of a
 * chain that this one replaced.
 */
export async function retractWebhooks(
  tx: Transaction,
  chainId: bigint,
  blocks: Iterable<readonly [number: bigint, hash: Hex]>,
): Promise<void> {
  const lost = await readLost(tx, chainId, [...blocks])
  if (lost.length === 0) return
  const now = new Date()
  const retractions = retractionsOf(lost, chainId)
  const totals = createTotals()
  for (const entry of retractions) totals.of(entry).matched += 1
  await addTotals(tx, totals.all(), now)

  const keys = webhookKeys.lists(lost)
  // The marks come first: they wait for replays that have locked the rows, and no replay can be queued afterwards.
  await tx.run(markRetracted, keys)
  const queued = lost.map((webhook) => ({ ...webhook, chainId }))
  await dropPending(tx, queued, { reason: 'a reorganisation removed its block; a retraction follows', now })
  await insertEntries(tx, retractions, now)
}

/**
 * Drops those of these retractions whose block is on the chain again, and returns their positions. Such a block has new webhooks. A retraction that
 * arrives after them, as its first attempt failed, would take them back from a receiver that identifies data by block hash.
 */
export async function dropReturned(tx: Transaction, retractions: readonly QueuedKey[]): Promise<ReadonlySet<bigint>> {
  if (retractions.length === 0) return new Set()
  const rows = await tx.rows<[bigint]>(selectReturned, webhookKeys.lists(retractions))
  const returned = new Set(rows.map(([position]) => position))
  const gone = retractions.filter(({ position }) => returned.has(position))
  if (gone.length > 0)
    await dropPending(tx, gone, { reason: 'its block returned to the chain before it was delivered', now: new Date() })
  return returned
}

/** Removes webhooks from the queue, and drops the pending ones. */
async function dropPending(
  tx: Transaction,
  webhooks: readonly QueuedKey[],
  { reason, now }: { reason: string; now: Date },
): Promise<void> {
  await endAllDeliveries(tx, webhooks)
  const dropped = await tx.rows(drop, [...webhookKeys.lists(webhooks), reason])
  const drops = createTotals()
  for (const webhook of dropped.map(endedRow.decode)) drops.of(webhook).dropped += 1
  await addTotals(tx, drops.all(), now)
}

async function readLost(
  tx: Transaction,
  chainId: bigint,
  blocks: readonly (readonly [number: bigint, hash: Hex])[],
): Promise<Lost[]> {
  if (blocks.length === 0) return []
  const numbers = blocks.map(([number]) => number).toSorted((a, b) => (a < b ? -1 : 1))
  const hashes = blocks.map(([, hash]) => hexToBuffer(hash))
  return (await tx.rows(selectRetractable, [chainId, numbers[0], numbers.at(-1), hashes])).map(lostRow.decode)
}

/**
 * For each stream and block: a retraction of each part of the unconfirmed webhook or, if there is none, of the
 * confirmed one.
 */
function retractionsOf(lost: readonly Lost[], chainId: bigint): LedgerEntry[] {
  const kinds = new Map<string, string>()
  const named = new Map<string, Lost>()
  // `lost` is in position order, so the unconfirmed webhook of a block precedes the confirmed one.
  for (const webhook of lost) {
    const block = `${webhook.streamId}:${webhook.blockHash}`
    if (!kinds.has(block)) kinds.set(block, webhook.kind)
    const part = `${block}:${webhook.part}`
    if (webhook.kind === kinds.get(block) && !named.has(part)) named.set(part, webhook)
  }
  return [...named.values()].map((webhook) => ({
    partition: webhook.partition,
    streamId: webhook.streamId,
    chainId,
    blockNumber: webhook.blockNumber,
    blockHash: webhook.blockHash,
    kind: 'retraction',
    flips: webhook.flips,
    part: webhook.part,
    parts: webhook.parts,
    live: true,
    counts: { logs: 0, txs: 0, txsInternal: 0 },
    body: JSON.stringify({
      confirmed: false,
      chainId: quantity(chainId),
      abi: [],
      streamId: webhook.streamId,
      tag: webhook.tag,
      retries: 0,
      block: {
        number: String(webhook.blockNumber),
        hash: webhook.blockHash,
        timestamp: webhook.timestamp,
      },
      ...emptyLists,
      reverted: true,
      revertedWebhookId: webhook.id,
    }),
  }))
}

/**
 * Unretracted webhooks of chain $1 whose blocks have the hashes $4 and are between $2 and $3, with the contents of
 * their retractions. They are looked up by stream, as the index is.
 */
const selectRetractable = `
SELECT ${lostRow.columns}
FROM webhook_matched m
CROSS JOIN LATERAL (SELECT * FROM webhook w WHERE w.partition = m.partition AND w.stream_id = m.stream_id AND w.chain_id = m.chain_id
  AND w.block_number BETWEEN $2 AND $3 AND w.block_hash = ANY($4::bytea[]) AND NOT w.retracted AND w.kind <> 'retraction' OFFSET 0) w
JOIN webhook_body b ON b.partition = w.partition AND b.position = w.position
WHERE m.chain_id = $1
ORDER BY w.block_number DESC, w.position`

/** Retractions of `webhookKeys` whose blocks have unretracted webhooks again. */
const selectReturned = `
SELECT w.position FROM ${webhookKeys.unnest()}
JOIN webhook w ON w.partition = v.partition AND w.position = v.position
WHERE w.kind = 'retraction' AND EXISTS (SELECT 1 FROM webhook r WHERE r.partition = w.partition AND r.stream_id = w.stream_id
  AND r.chain_id = w.chain_id AND r.block_number = w.block_number AND r.block_hash = w.block_hash AND r.flips > w.flips
  AND r.kind <> 'retraction' AND NOT r.retracted)`

const markRetracted = `
UPDATE webhook w SET retracted = true
FROM ${webhookKeys.unnest()}
WHERE w.partition = v.partition AND w.position = v.position`

/** Drops the pending ones of the webhooks, and returns them. */
const drop = endUndelivered(`
UPDATE webhook w SET status = 'dropped', reason = $3
FROM ${webhookKeys.unnest()}
WHERE w.partition = v.partition AND w.position = v.position AND w.status = 'pending'`)
