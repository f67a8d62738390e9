import type { Transaction } from '../../db/database.ts'
import { BadRequestError } from '../../util/errors.ts'
import { smaller } from '../../util/extremes.ts'
import { type Address, bufferToHex, type Hex } from '../../util/hex.ts'
import type { CollectionState } from '../query.ts'
import { type Standard, type Standards, standardsOf } from '../transfers/decodeTransfers.ts'
import { rebuildTables } from './rebuildTables.ts'

/** The data to compare: a collection at one block, all of it or a sample, in one snapshot of the database. */
export type Subject = {
  partition: number
  id: bigint
  address: Address
  standard: Standard
  standards: Standards
  block: bigint
  storedHash: Hex | undefined
  source: 'stored' | 'rebuilt'
  /** Names of the tables; `rebuilt` ones are temporary. */
  tables: { token: 'token' | 'verify_token'; balance: 'balance' | 'verify_balance' }
  /** Number of compared tokens, including burned ones unless it is a sample. */
  tokens: number
  listed: bigint
  /** Token hashes of the sample in order; undefined: all. */
  sample: string[] | undefined
}

export type SubjectOptions = {
  state: CollectionState
  address: Address
  chainId: bigint
  at: bigint | undefined
  sample: { size: number; seed: string } | undefined
}

/** Reads the data to compare; `tx` is one snapshot. Throws BadRequestError if the collection or the block cannot be compared. */
export async function openSubject(tx: Transaction, options: SubjectOptions): Promise<Subject> {
  const { state, address, chainId, at, sample } = options
  const { partition, id, standard, mixed, fromBlock, toBlock } = state
  const key = [partition, id]
  if (standard === null && state.status === 'live')
    throw new BadRequestError('this contract has no transfers, so there is nothing to compare')
  if (standard === null || fromBlock === null || toBlock === null)
    throw new BadRequestError(
      `no blocks of this collection are covered without a gap yet (${state.status}): wait with "mintmark index … --wait"`,
    )
  const block = at ?? (state.status === 'live' ? toBlock : smaller(toBlock, await lastFinal(tx, chainId, toBlock)))
  if (block < fromBlock || block > toBlock)
    throw new BadRequestError(
      `block ${block} is not covered: this collection is indexed from block ${fromBlock} to ${toBlock}; choose one of these with --at`,
    )
  // During history, token rows already contain blocks after a gap.
  const stored = state.status === 'live' && block === toBlock
  const standards = standardsOf({ standard, mixed })
  if (!stored) await rebuildTables(tx, { partition, id, address, block })
  const tables = stored
    ? ({ token: 'token', balance: 'balance' } as const)
    : ({ token: 'verify_token', balance: 'verify_balance' } as const)
  const [[all, listed] = [0n, 0n]] = await tx.fresh.rows<[bigint, bigint]>(
    `SELECT count(*), count(*) FILTER (WHERE amount > 0) FROM ${tables.token} WHERE partition = $1 AND collection_id = $2`,
    key,
  )
  const hashes = sample && (await draw(tx, tables.token, [...key, sample.seed, sample.size]))
  return {
    partition,
    id,
    address,
    standard,
    standards,
    block,
    storedHash: await readHash(tx, { chainId, block, isLive: state.status === 'live' }),
    source: stored ? 'stored' : 'rebuilt',
    tables,
    tokens: hashes ? hashes.length : Number(all),
    listed,
    sample: hashes,
  }
}

/** Samples listed tokens by a seed, reproducibly. */
async function draw(tx: Transaction, table: string, values: unknown[]): Promise<string[]> {
  const rows = await tx.fresh.rows<[string]>(
    `SELECT token_hash::text FROM ${table} WHERE partition = $1 AND collection_id = $2 AND amount > 0
     ORDER BY md5(token_hash::text || $3::text), token_hash LIMIT $4`,
    values,
  )
  return rows.map(([hash]) => hash).sort()
}

/**
 * The hash of a followed block; undefined if it is older than stored ones. Also undefined during history if it is not final, as the chain may be
 * followed on an undone fork.
 */
async function readHash(
  tx: Transaction,
  { chainId, block, isLive }: { chainId: bigint; block: bigint; isLive: boolean },
): Promise<Hex | undefined> {
  const [row] = await tx.fresh.rows<[Buffer]>(
    `SELECT hash FROM (
       SELECT b.number, b.hash FROM block b WHERE b.chain_id = $1 AND b.number = $2
       UNION ALL SELECT c.block_number, c.block_hash FROM chain c WHERE c.id = $1 AND c.block_number = $2
     ) b WHERE $3 OR b.number <= (SELECT c.finalized_number FROM chain c WHERE c.id = $1) LIMIT 1`,
    [chainId, block, isLive],
  )
  return row && bufferToHex(row[0])
}

/** The last final block: above it, history may be of another fork than the followed one. */
async function lastFinal(tx: Transaction, chainId: bigint, toBlock: bigint): Promise<bigint> {
  const [row] = await tx.fresh.rows<[bigint]>('SELECT finalized_number FROM chain WHERE id = $1', [chainId])
  return row?.[0] ?? toBlock
}

/** The stored hash of block 0. */
export async function readGenesis(tx: Transaction, chainId: bigint): Promise<Hex> {
  const [row] = await tx.fresh.rows<[Buffer]>('SELECT genesis_hash FROM chain WHERE id = $1', [chainId])
  return row ? bufferToHex(row[0]) : '0x'
}
