import type { Transaction } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { bufferToHex } from '../../util/hex.ts'
import { forgetDiscovered, forgetKnown } from '../store/knownContracts.ts'
import { hourOf } from './storeCounts.ts'

/** Most rows of the last day, and most contracts, that one step of a chain deletes: 20 ms each. */
export const mostForgotten = 2_000

const hoursADay = 24
const secondsADay = 86_400

type Key = { partition: number; address: Buffer }
type Hour = Key & { hour: bigint; transfers: bigint; mints: bigint }

const keyed = {
  partition: list.int2(({ partition }: Key) => partition),
  address: list.bytea(({ address }: Key) => address),
}
const keys = defineLists<Key>(keyed)
const hours = defineLists<Hour>({
  ...keyed,
  hour: list.int8(({ hour }) => hour),
  transfers: list.int8(({ transfers }) => transfers),
  mints: list.int8(({ mints }) => mints),
})

/**
 * Deletes counts older than a day before `time`, the time of a chain's last block. Deletes contracts without transfers
 * in a second block for `keepDays`. At most `mostForgotten` of each. True: nothing more to delete until the next hour.
 * The caller has locked the chain's row.
 */
export async function forgetPast(
  tx: Transaction,
  { chainId, time, keepDays }: { chainId: bigint; time: number; keepDays: number },
): Promise<boolean> {
  if (!(await forgetHours(tx, chainId, hourOf(time) - hoursADay))) return false
  return forgetContracts(tx, chainId, time - keepDays * secondsADay)
}

async function forgetHours(tx: Transaction, chainId: bigint, last: number): Promise<boolean> {
  const rows = await tx.rows<[number, Buffer, bigint, bigint, bigint]>(selectHours, [chainId, last])
  if (rows.length === 0) return true
  const past = rows.map(([partition, address, hour, transfers, mints]) => ({
    partition,
    address,
    hour,
    transfers,
    mints,
  }))
  await tx.run(uncount, [chainId, ...hours.lists(past)])
  await tx.run(deleteHours, [chainId, ...hours.lists(past)])
  // Undoing these blocks does not change the day's counts any more.
  await tx.run(clearBlocks, [chainId, last])
  return rows.length < mostForgotten
}

const selectHours = `
SELECT partition, address, hour, transfers, mints FROM discovered_hour WHERE chain_id = $1 AND hour <= $2 LIMIT ${mostForgotten}`

const uncount = `
UPDATE discovered_contract d SET transfers = d.transfers - v.transfers, mints = d.mints - v.mints
FROM (SELECT partition, address, sum(transfers) AS transfers, sum(mints) AS mints FROM ${hours.unnest(2)} GROUP BY partition, address) v
WHERE d.partition = v.partition AND d.chain_id = $1 AND d.address = v.address`

const deleteHours = `
DELETE FROM discovered_hour h USING ${hours.unnest(2)}
WHERE h.partition = v.partition AND h.chain_id = $1 AND h.address = v.address AND h.hour = v.hour`

const clearBlocks = `
UPDATE discovered_block SET transfers = 0, mints = 0 WHERE chain_id = $1 AND hour <= $2 AND transfers > 0`

/** Deletes contracts that were first seen before `time` and have transfers in only one block. */
async function forgetContracts(tx: Transaction, chainId: bigint, time: number): Promise<boolean> {
  const rows = await tx.rows<[number, Buffer]>(selectOnce, [chainId, time])
  if (rows.length === 0) return true
  const deleted = rows.map(([partition, address]) => ({ partition, address }))
  await tx.run(deleteBlocks, [chainId, ...keys.lists(deleted)])
  await tx.run(deleteContracts, [chainId, ...keys.lists(deleted)])
  await forgetKnown(
    tx,
    chainId,
    deleted.map(({ address }) => bufferToHex(address)),
  )
  return rows.length < mostForgotten
}

const selectOnce = `
SELECT partition, address FROM discovered_contract WHERE chain_id = $1 AND blocks = 1 AND first_time < $2
ORDER BY first_time LIMIT ${mostForgotten}`

const ofRemoved = 'd.partition = v.partition AND d.chain_id = $1 AND d.address = v.address'
const deleteBlocks = `DELETE FROM discovered_block d USING ${keys.unnest(2)} WHERE ${ofRemoved}`
const deleteContracts = `DELETE FROM discovered_contract d USING ${keys.unnest(2)} WHERE ${ofRemoved}`

/** Deletes all discovered contracts of a chain after another chain replaced it. */
export async function forgetChain(tx: Transaction, chainId: bigint): Promise<void> {
  await tx.run('DELETE FROM discovered_block WHERE chain_id = $1', [chainId])
  await tx.run('DELETE FROM discovered_hour WHERE chain_id = $1', [chainId])
  await tx.run('DELETE FROM discovered_contract WHERE chain_id = $1', [chainId])
  await forgetDiscovered(tx, chainId)
}
