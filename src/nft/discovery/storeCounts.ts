import type { Transaction } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { partitionOf } from '../../sync/partition.ts'
import { chunksOf } from '../../util/chunksOf.ts'
import { type Address, bufferToHex, hexToBuffer } from '../../util/hex.ts'
import { insertKnown } from '../store/knownContracts.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'
import type { BlockCount } from './countBlock.ts'

const secondsAnHour = 3_600

/** The hour of a time in seconds since 1970. */
export const hourOf = (time: number) => Math.floor(time / secondsAnHour)

type Row = { partition: number; address: Address; transfers: number; mints: number }
type ContractRow = Row & { standard: Standard; firstBlock: bigint; firstTime: number; blocks: number }
type HourRow = Row & { hour: number }
type BlockRow = HourRow & { number: bigint }

const counted = {
  partition: list.int2(({ partition }: Row) => partition),
  address: list.bytea(({ address }: Row) => hexToBuffer(address)),
  transfers: list.int8(({ transfers }: Row) => transfers),
  mints: list.int8(({ mints }: Row) => mints),
}

const contractRows = defineLists<ContractRow>({
  ...counted,
  first_block: list.int8(({ firstBlock }) => firstBlock),
  first_time: list.int8(({ firstTime }) => firstTime),
  blocks: list.int8(({ blocks }) => blocks),
})
const hourRows = defineLists<HourRow>({ ...counted, hour: list.int8(({ hour }) => hour) })
const blockRows = defineLists<BlockRow>({
  ...counted,
  hour: list.int8(({ hour }) => hour),
  block_number: list.int8(({ number }) => number),
})

/** Rows per statement. */
const rowsAtOnce = 5_000

/**
 * Adds the transfers of new blocks, which are later than stored ones, to the counts of their contracts, and inserts new
 * contracts. The caller has locked the chain's row, so nobody else writes its counts. Returns the number of new
 * contracts.
 */
export async function storeCounts(tx: Transaction, chainId: bigint, blocks: readonly BlockCount[]): Promise<number> {
  const { contracts, hours, undoable } = rowsOf(chainId, blocks)
  let found = 0
  for (const part of chunksOf(contracts, rowsAtOnce)) {
    const rows = await tx.rows<[Buffer, bigint]>(upsertContracts, [chainId, ...contractRows.lists(part)])
    // Other rows have an earlier first block.
    const first = new Map(rows.map(([address, number]) => [bufferToHex(address), number]))
    const fresh = part.filter(({ address, firstBlock }) => first.get(address) === firstBlock)
    if (fresh.length > 0) await insertKnown(tx, chainId, fresh, { discovered: true })
    found += fresh.length
  }
  for (const part of chunksOf(hours, rowsAtOnce)) await tx.run(upsertHours, [chainId, ...hourRows.lists(part)])
  for (const part of chunksOf(undoable, rowsAtOnce)) await tx.run(insertBlocks, [chainId, ...blockRows.lists(part)])
  return found
}

/** Rows of blocks, one per key, in key order. */
function rowsOf(chainId: bigint, blocks: readonly BlockCount[]) {
  const contracts = new Map<Address, ContractRow>()
  const hours = new Map<string, HourRow>()
  const undoable: BlockRow[] = []
  for (const block of blocks) {
    const hour = hourOf(block.time)
    for (const [address, { standard, ...counts }] of block.contracts) {
      const known = contracts.get(address)
      const row = { partition: known?.partition ?? partitionOf(chainId, address), address, ...counts }
      if (known) add(known, { ...counts, blocks: 1 })
      else contracts.set(address, { ...row, standard, firstBlock: block.number, firstTime: block.time, blocks: 1 })
      const ofHour = hours.get(`${hour} ${address}`)
      if (ofHour) add(ofHour, counts)
      else hours.set(`${hour} ${address}`, { ...row, hour })
      if (block.undoable) undoable.push({ ...row, hour, number: block.number })
    }
  }
  return { contracts: [...contracts.values()].toSorted(byKey), hours: [...hours.values()].toSorted(byKey), undoable }
}

function add(row: Row & { blocks?: number }, more: { transfers: number; mints: number; blocks?: number }): void {
  row.transfers += more.transfers
  row.mints += more.mints
  if (row.blocks !== undefined) row.blocks += more.blocks ?? 0
}

const byKey = (a: Row, b: Row) => a.partition - b.partition || (a.address < b.address ? -1 : 1)

const upsertContracts = `
INSERT INTO discovered_contract AS d (chain_id, ${contractRows.columns}) SELECT $1, * FROM ${contractRows.unnest(2)}
ON CONFLICT (partition, chain_id, address) DO UPDATE SET
  blocks = d.blocks + excluded.blocks, transfers = d.transfers + excluded.transfers, mints = d.mints + excluded.mints
RETURNING address, first_block`

const upsertHours = `
INSERT INTO discovered_hour AS h (chain_id, ${hourRows.columns}) SELECT $1, * FROM ${hourRows.unnest(2)}
ON CONFLICT (partition, chain_id, address, hour) DO UPDATE SET
  transfers = h.transfers + excluded.transfers, mints = h.mints + excluded.mints`

const insertBlocks = `
INSERT INTO discovered_block (chain_id, ${blockRows.columns}) SELECT $1, * FROM ${blockRows.unnest(2)}`
