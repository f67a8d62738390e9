import type { Sql } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import { partitionOf } from '../../sync/partition.ts'
import { type Address, bufferToHex, hexToBuffer } from '../../util/hex.ts'
import { raisedVersion } from '../collection/version.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'

/** A contract of a wallet's tokens, or of a block. */
export type KnownContract = { address: Address; standard: Standard }

type Placed = KnownContract & { partition: number }

const knownRow = defineLists<Placed>({
  partition: list.int2(({ partition }) => partition),
  address: list.bytea(({ address }) => hexToBuffer(address)),
  standard: list.text(({ standard }) => standard),
})

/** In key order, so that concurrent inserts of the same ones cannot deadlock. */
function placed(chainId: bigint, contracts: readonly KnownContract[]): Placed[] {
  return contracts
    .map((contract) => ({ ...contract, partition: partitionOf(chainId, contract.address) }))
    .toSorted((a, b) => a.partition - b.partition || (a.address < b.address ? -1 : 1))
}

/** `discovered`: from blocks (nft/discovery), which deletes them again; false: from wallets. */
export type KnownBy = { discovered: boolean }

/**
 * Inserts contracts as known, unless they are collections: a narrow row each, which no process caches. Wallets also make an address known that had no
 * code when a client requested it.
 */
export async function insertKnown(
  sql: Sql,
  chainId: bigint,
  contracts: readonly KnownContract[],
  { discovered }: KnownBy,
): Promise<void> {
  const lists = knownRow.lists(placed(chainId, contracts))
  await sql.run(
    `INSERT INTO collection (partition, chain_id, address, standard, status, discovered)
     SELECT v.partition, $1, v.address, v.standard, 'known', $2 FROM ${knownRow.unnest(3)}
     ON CONFLICT (partition, chain_id, address) DO NOTHING`,
    [chainId, discovered, ...lists],
  )
  // Separate, as the statement above would also lock rows of collections.
  if (!discovered) await sql.run(needed, [chainId, ...lists])
}

const ifCodeless = (value: string, name: string) =>
  `${name} = CASE WHEN c.status = 'nocode' THEN ${value} ELSE c.${name} END`

const needed = `
UPDATE collection c SET discovered = false, ${ifCodeless('v.standard', 'standard')}, ${ifCodeless('NULL', 'checked_at')},
  ${ifCodeless("'known'", 'status')}, ${raisedVersion('c')}
FROM ${knownRow.unnest(2)}
WHERE c.partition = v.partition AND c.chain_id = $1 AND c.address = v.address AND (c.discovered OR c.status = 'nocode')`

/** Deletes contracts that are known only from blocks, except those with an operator's override. */
export async function forgetKnown(sql: Sql, chainId: bigint, addresses: readonly Address[]): Promise<void> {
  if (addresses.length === 0) return
  await sql.run(
    `DELETE FROM collection c USING ${knownRow.unnest(2)}
     WHERE c.partition = v.partition AND c.chain_id = $1 AND c.address = v.address AND ${onlyDiscovered}`,
    [chainId, ...knownRow.lists(placed(chainId, contractsAt(addresses)))],
  )
}

/** The same for a whole chain. */
export async function forgetDiscovered(sql: Sql, chainId: bigint): Promise<void> {
  await sql.run(`DELETE FROM collection c WHERE c.chain_id = $1 AND ${onlyDiscovered}`, [chainId])
}

const onlyDiscovered = `c.status = 'known' AND c.discovered AND c.spam_override IS NULL AND c.verified_override IS NULL`

/** Ids of known contracts that are not collections. Requests the names of those without name and symbol. */
export async function requestNames(
  sql: Sql,
  chainId: bigint,
  contracts: readonly KnownContract[],
  by: KnownBy,
): Promise<{ partition: number; id: bigint; address: Address }[]> {
  await insertKnown(sql, chainId, contracts, by)
  const rows = await sql.rows<[number, bigint, Buffer, boolean]>(
    `SELECT c.partition, c.id, c.address, ${isUnrequested} FROM ${knownRow.unnest(2)}
     JOIN collection c ON c.partition = v.partition AND c.chain_id = $1 AND c.address = v.address AND c.status = 'known'`,
    [chainId, ...knownRow.lists(placed(chainId, contracts))],
  )
  if (rows.some(([, , , unrequested]) => unrequested)) await readNames(sql, chainId, contracts, isUnrequested)
  return rows.map(([partition, id, address]) => ({ partition, id, address: bufferToHex(address) }))
}

/** Reads the names of known contracts again that were read before, or are being read. */
export async function rereadNames(sql: Sql, chainId: bigint, addresses: readonly Address[]): Promise<void> {
  await readNames(sql, chainId, contractsAt(addresses), `NOT (${isUnrequested})`)
}

/** The names were never requested. */
const isUnrequested = 'c.checked_at IS NULL AND c.retry_at IS NULL'

/** Makes the names of known contracts due that satisfy a condition on `c`. */
async function readNames(
  sql: Sql,
  chainId: bigint,
  contracts: readonly KnownContract[],
  condition: string,
): Promise<void> {
  const due = await sql.run(
    `UPDATE collection c SET checked_at = NULL, retry_at = now(), attempts = 0 FROM ${knownRow.unnest(2)}
     WHERE c.partition = v.partition AND c.chain_id = $1 AND c.address = v.address AND c.status = 'known' AND ${condition}`,
    [chainId, ...knownRow.lists(placed(chainId, contracts))],
  )
  if (due > 0) await sql.rows('SELECT pg_notify($1, $2)', [knownChannel, ''])
}

/** Contracts for statements that use only their addresses. */
const contractsAt = (addresses: readonly Address[]) =>
  addresses.map((address): KnownContract => ({ address, standard: 'ERC721' }))

/** Channel of requests for names of known contracts. */
export const knownChannel = 'mintmark_known'

const unnamedRow = defineRow({
  partition: column.int2('partition'),
  id: column.int8('id'),
  chainId: column.int8('chain_id'),
  address: column.bytea('address').map(bufferToHex),
  attempts: column.int4('attempts'),
  /** Another value means that the names were requested again. */
  dueAt: column.text('retry_at::text'),
  isLive: column.bool(`status = 'live'`),
})

export type UnnamedContract = RowOf<typeof unnamedRow>

/** A contract whose names may be due: a known one, or that of a live collection that got its first tokens. */
const mayBeDue = `status IN ('known', 'live')`

/** Contracts of these partitions whose names are due. */
export async function readUnnamed(sql: Sql, partitions: readonly bigint[], limit: number): Promise<UnnamedContract[]> {
  const rows = await sql.rows(
    `SELECT ${unnamedRow.columns} FROM collection
     WHERE ${mayBeDue} AND retry_at <= now() AND partition = ANY($1::smallint[]) ORDER BY retry_at LIMIT $2`,
    [partitions, limit],
  )
  return rows.map(unnamedRow.decode)
}

/** The key of a contract that is only known; undefined: it is not. */
export async function readKnownKey(
  sql: Sql,
  { chainId, address }: { chainId: bigint; address: Address },
): Promise<{ partition: number; id: bigint } | undefined> {
  const partition = partitionOf(chainId, address)
  const [row] = await sql.rows<[bigint]>(
    `SELECT id FROM collection WHERE partition = $1 AND chain_id = $2 AND address = $3 AND status = 'known'`,
    [partition, chainId, hexToBuffer(address)],
  )
  return row && { partition, id: row[0] }
}

/**
 * Stores the name and symbol of a contract, and the standard of a known one if it reports one. `block`: they are read again if a reorg undoes it.
 */
export async function setNames(
  sql: Sql,
  { partition, id, dueAt }: Pick<UnnamedContract, 'partition' | 'id' | 'dueAt'>,
  identity: { name: string | null; symbol: string | null; standard: Standard | null },
  block: bigint | null = null,
): Promise<void> {
  await sql.run(
    `UPDATE collection SET name = $3, symbol = $4, standard = CASE WHEN status = 'known' AND $5::text IS NOT NULL THEN $5 ELSE standard END,
       learned_block = CASE WHEN status = 'known' THEN learned_block ELSE greatest(learned_block, $7::int8) END,
       checked_at = now(), retry_at = NULL, attempts = 0, assessed_at = NULL, ${raisedVersion()}
     WHERE partition = $1 AND id = $2 AND ${mayBeDue} AND retry_at = $6::timestamptz`,
    [partition, id, identity.name, identity.symbol, identity.standard, dueAt, block],
  )
}

/** Retries a failed read of names in `seconds`. */
export async function postponeNames(sql: Sql, { partition, id }: UnnamedContract, seconds: number): Promise<void> {
  await sql.run(
    `UPDATE collection SET attempts = attempts + 1, retry_at = now() + make_interval(secs => $3)
     WHERE partition = $1 AND id = $2 AND ${mayBeDue}`,
    [partition, id, seconds],
  )
}

const listedRow = defineRow({
  chainId: column.int8('chain_id'),
  address: column.bytea('address').map(bufferToHex),
  standard: column.text<Standard>('standard').orNull(),
  name: column.text('name').orNull(),
  symbol: column.text('symbol').orNull(),
  possibleSpam: column.bool('coalesce(spam_override, possible_spam)'),
})

export type ListedKnown = RowOf<typeof listedRow>

/** Known contracts by chain and address, at most `limit`. */
export async function listKnown(
  sql: Sql,
  { chainId, limit }: { chainId: bigint | null; limit: number },
): Promise<ListedKnown[]> {
  const rows = await sql.rows(
    `SELECT ${listedRow.columns} FROM collection WHERE status = 'known' AND ($1::int8 IS NULL OR chain_id = $1)
     ORDER BY chain_id, address LIMIT $2`,
    [chainId, limit],
  )
  return rows.map(listedRow.decode)
}
