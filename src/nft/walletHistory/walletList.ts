import type { Database, Sql } from '../../db/database.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import { readChain, reviseChain } from '../../sync/chainStore.ts'
import { partitionOf } from '../../sync/partition.ts'
import { type Address, bufferToHex, hexToBuffer } from '../../util/hex.ts'

const listedRow = defineRow({
  chainId: column.int8('w.chain_id'),
  address: column.bytea('w.address').map(bufferToHex),
  status: column.text('w.status'),
  reason: column.text('w.reason').orNull(),
  transfers: column.int8('w.transfers'),
  oversizedLogs: column.int8('w.wide_logs'),
  fromBlock: column.int8('w.from_block').orNull(),
  toBlock: column.int8(`CASE WHEN w.status = 'live' THEN h.block_number ELSE w.to_block END`).orNull(),
  headBlock: column.int8('h.head_number').orNull(),
  requestedAt: column.timestamptz('w.requested_at'),
  askedAt: column.timestamptz('w.asked_at'),
})

/** A wallet that is indexed over all contracts of its chain. */
export type ListedWallet = RowOf<typeof listedRow>

export type WalletListFilter = { chainId: bigint | null; status: string | null }

const isListed = `w.status <> 'removed' AND ($1::int8 IS NULL OR w.chain_id = $1) AND ($2::text IS NULL OR w.status = $2)`

/** Number of wallets of a list, up to 100,000. */
export async function countWallets(sql: Sql, { chainId, status }: WalletListFilter): Promise<number> {
  const [row] = await sql.rows<[bigint]>(
    `SELECT count(*) FROM (SELECT 1 FROM wallet w WHERE ${isListed} LIMIT 100000) w`,
    [chainId, status],
  )
  return Number(row![0])
}

/** Omissions of a wallet with reasons, as one line of ASCII; null: none. */
export function describeOmitted({
  status,
  oversizedLogs,
}: Pick<ListedWallet, 'status' | 'oversizedLogs'>): string | null {
  const parts = []
  if (oversizedLogs > 0n) parts.push(`${oversizedLogs} logs with more than 100000 tokens each`)
  if (status === 'full') parts.push('all later blocks, as it has more transfers than wallets.maxTransfers')
  return parts.length === 0 ? null : parts.join(', ')
}

/** Wallets by chain and address after a place, at most `limit`. */
export async function listWallets(
  sql: Sql,
  {
    chainId,
    status,
    limit,
    after = null,
  }: WalletListFilter & {
    limit: number
    after?: { chainId: bigint; address: Address } | null
  },
): Promise<ListedWallet[]> {
  const rows = await sql.rows(
    `SELECT ${listedRow.columns} FROM wallet w LEFT JOIN chain h ON h.id = w.chain_id
     WHERE ${isListed} AND ($4::int8 IS NULL OR (w.chain_id, w.address) > ($4, $5::bytea)) ORDER BY w.chain_id, w.address LIMIT $3`,
    [chainId, status, limit, after?.chainId ?? null, after && hexToBuffer(after.address)],
  )
  return rows.map(listedRow.decode)
}

/** One wallet; undefined: it is not indexed. */
export async function showWallet(
  sql: Sql,
  chainId: bigint,
  wallet: Address,
): Promise<(ListedWallet & { tokens: bigint; contracts: bigint }) | undefined> {
  const key = [partitionOf(chainId, wallet), chainId, hexToBuffer(wallet)]
  const [row] = await sql.rows(
    `SELECT ${listedRow.columns} FROM wallet w LEFT JOIN chain h ON h.id = w.chain_id
     WHERE w.partition = $1 AND w.chain_id = $2 AND w.address = $3 AND w.status <> 'removed'`,
    key,
  )
  if (!row) return undefined
  const [counts] = await sql.rows<[bigint, bigint]>(
    `SELECT count(*), count(DISTINCT h.contract) FROM wallet w JOIN wallet_holding h ON h.partition = w.partition AND h.wallet_id = w.id
     WHERE w.partition = $1 AND w.chain_id = $2 AND w.address = $3 AND w.status <> 'removed'`,
    key,
  )
  return { ...listedRow.decode(row), tokens: counts![0], contracts: counts![1] }
}

/** Removes a wallet, whose rows a server deletes later; a new request indexes it again. False: it is not indexed. */
export function removeWallet(db: Database, chainId: bigint, wallet: Address): Promise<boolean> {
  return db.transaction(async (tx) => {
    // Locks the chain's row first, as its follower does.
    await readChain(tx, chainId, true)
    const removed = await tx.run(
      `UPDATE wallet SET status = 'removed' WHERE partition = $1 AND chain_id = $2 AND address = $3 AND status <> 'removed'`,
      [partitionOf(chainId, wallet), chainId, hexToBuffer(wallet)],
    )
    if (removed > 0) await reviseChain(tx, chainId)
    return removed > 0
  })
}
