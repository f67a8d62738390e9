import type { Sql } from '../../db/database.ts'
import { partitionOf } from '../../sync/partition.ts'
import { createLru } from '../../util/createLru.ts'
import { type Address, bufferToHex, hexToBuffer } from '../../util/hex.ts'

/** The spam contracts among these of a chain. */
export type SpamFilter = (chainId: bigint, addresses: readonly Address[]) => Promise<ReadonlySet<Address>>

/** Contracts with a cached verdict, and lifetime of an entry. */
const mostKept = 50_000
const keptMs = 10_000

const selectSpam = `
SELECT c.address FROM unnest($2::int2[], $3::bytea[]) AS a (partition, address)
JOIN collection c ON c.partition = a.partition AND c.chain_id = $1 AND c.address = a.address
WHERE c.partition = ANY($2::int2[]) AND coalesce(c.spam_override, c.possible_spam)`

/** Unknown contracts do not count as spam. */
export function createSpamFilter(sql: Pick<Sql, 'rows'>): SpamFilter {
  const kept = createLru<string, boolean>(mostKept, { ttl: keptMs })
  return async (chainId, addresses) => {
    const nameOf = (address: Address) => `${chainId}:${address}`
    const known = new Map(addresses.map((address) => [address, kept.get(nameOf(address))]))
    const unknown = [...known].flatMap(([address, isSpam]) => (isSpam === undefined ? [address] : []))
    if (unknown.length > 0) {
      const values = [unknown.map((address) => partitionOf(chainId, address)), unknown.map(hexToBuffer)]
      const rows = await sql.rows<[Buffer]>(selectSpam, [chainId, ...values])
      const found = new Set(rows.map(([address]) => bufferToHex(address)))
      for (const address of unknown) {
        known.set(address, found.has(address))
        kept.set(nameOf(address), found.has(address))
      }
    }
    return new Set([...known].flatMap(([address, isSpam]) => (isSpam ? [address] : [])))
  }
}
