import type { Sql } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import { partitionOf } from '../../sync/partition.ts'
import { type Address, bufferToHex, hexToBuffer } from '../../util/hex.ts'
import { raisedVersion } from '../collection/version.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'

/** A contract that a wallet has tokens of, or that a block showed. */
export type KnownContract = { address: Address; standard: Standard }

type Placed = KnownContract & { partition: number }

const knownRow = defineLists<Placed>({
  partition: list.int2(({ partition }) => partition),
  address: list.bytea(({ address }) => hexToBuffer(address)),
  standard: list.text(({ standard }) => standard),
})

/** In the order of the key, so that two that note the same ones wait for each other in one order. */
function placed(chainId: bigint, contracts: readonly KnownContract[]): Placed[] {
  return contracts
    .map((contract) => ({ ...contract, partition: partitionOf(chainId, contract.address) }))
    .toSorted((a, b) => a.partition - b.partition || (a.address < b.address ? -1 : 1))
}

/** `discovered`: blocks showed the contracts (nft/discovery), which forgets them again; false: wallets need them. */
export type KnownBy = { discovered: boolean }

/**
 * Notes contracts as known, where they are no collections: a narrow row each, of which no process keeps anything. Wallets also make known
 * what was an address without code when a client requested it.
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
  // Not in the statement before, which would lock the rows of collections, too.
  if (!discovered) await sql.run(needed, [chainId, ...lists])
}

const ifCodeless = (value: string, name: string) =>
  `${name} = CASE WHEN c.status = 'nocode' THEN ${value} ELSE c.${name} END`

const needed = `
UPDATE collection c SET discovered = false, ${ifCodeless('v.standard', 'standard')}, ${ifCodeless('NULL', 'checked_at')},
  ${ifCodeless("'known'", 'status')}, ${raisedVersion('c')}
FROM ${knownRow.unnest(2)}
WHERE c.partition = v.partition AND c.chain_id = $1 AND c.address = v.address AND (c.discovered OR c.status = 'nocode')`

/** Forgets contracts that are known only because blocks showed them. What an operator said of one stays. */
export async function forgetKnown(sql: Sql, chainId: bigint, addresses: readonly Address[]): Promise<void> {
  if (addresses.length === 0) return
  const contracts = addresses.map((address): KnownContract => ({ address, standard: 'ERC721' }))
  await sql.run(
    `DELETE FROM collection c USING ${knownRow.unnest(2)}
     WHERE c.partition = v.partition AND c.chain_id = $1 AND c.address = v.address AND ${onlyDiscovered}`,
    [chainId, ...knownRow.lists(placed(chainId, contracts))],
  )
}

/** The same for all of a chain. */
export async function forgetDiscovered(sql: Sql, chainId: bigint): Promise<void> {
  await sql.run(`DELETE FROM collection c WHERE c.chain_id = $1 AND ${onlyDiscovered}`, [chainId])
}

const onlyDiscovered = `c.status = 'known' AND c.discovered AND c.spam_override IS NULL AND c.verified_override IS NULL`

/** The ids of those contracts that are known and no collections. Those of which neither name nor symbol was read yet are named from then on. */
export async function askForNames(
  sql: Sql,
  chainId: bigint,
  contracts: readonly KnownContract[],
  by: KnownBy,
): Promise<{ partition: number; id: bigint; address: Address }[]> {
  await insertKnown(sql, chainId, contracts, by)
  // Citus takes no now() within CASE.
  const [[now] = []] = await sql.rows<[Date]>('SELECT now()')
  const rows = await sql.rows<[number, bigint, Buffer, boolean]>(
    `UPDATE collection c SET retry_at = CASE WHEN c.checked_at IS NULL THEN coalesce(c.retry_at, $5::timestamptz) END
     FROM ${knownRow.unnest(2)}
     WHERE c.partition = v.partition AND c.chain_id = $1 AND c.address = v.address AND c.status = 'known'
     RETURNING c.partition, c.id, c.address, c.checked_at IS NULL`,
    [chainId, ...knownRow.lists(placed(chainId, contracts)), now],
  )
  if (rows.some(([, , , unnamed]) => unnamed)) await sql.rows('SELECT pg_notify($1, $2)', [knownChannel, ''])
  return rows.map(([partition, id, address]) => ({ partition, id, address: bufferToHex(address) }))
}

/** Notified when known contracts are to be named. */
export const knownChannel = 'mintmark_known'

const unnamedRow = defineRow({
  partition: column.int2('partition'),
  id: column.int8('id'),
  chainId: column.int8('chain_id'),
  address: column.bytea('address').map(bufferToHex),
  attempts: column.int4('attempts'),
})

export type UnnamedContract = RowOf<typeof unnamedRow>

/** Known contracts of these partitions whose names are to be read. */
export async function readUnnamed(sql: Sql, partitions: readonly bigint[], limit: number): Promise<UnnamedContract[]> {
  const rows = await sql.rows(
    `SELECT ${unnamedRow.columns} FROM collection
     WHERE status = 'known' AND retry_at <= now() AND partition = ANY($1::smallint[]) ORDER BY retry_at LIMIT $2`,
    [partitions, limit],
  )
  return rows.map(unnamedRow.decode)
}

/** Stores what a known contract calls itself. */
export async function setNames(
  sql: Sql,
  { partition, id }: UnnamedContract,
  names: { name: string | null; symbol: string | null },
): Promise<void> {
  await sql.run(
    `UPDATE collection SET name = $3, symbol = $4, checked_at = now(), retry_at = NULL, attempts = 0, assessed_at = NULL, ${raisedVersion()}
     WHERE partition = $1 AND id = $2 AND status = 'known'`,
    [partition, id, names.name, names.symbol],
  )
}

/** A name could not be read: it is tried again in `seconds`. */
export async function postponeNames(sql: Sql, { partition, id }: UnnamedContract, seconds: number): Promise<void> {
  await sql.run(
    `UPDATE collection SET attempts = attempts + 1, retry_at = now() + make_interval(secs => $3)
     WHERE partition = $1 AND id = $2 AND status = 'known'`,
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
