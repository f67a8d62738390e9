import type { World } from '../world.ts'

type CollectionRow = [
  address: string,
  status: string,
  cursor: string | null,
  ranges: [string, string][] | null,
  transfers: Record<string, number> | null,
]

/** One statement reads one snapshot. In a cluster each node has its own snapshot and its own copy of the cursor. */
const selectCovered = `
SELECT '0x' || encode(c.address, 'hex'), c.status, '0x' || encode(h.block_hash, 'hex'),
  (SELECT json_agg(json_build_array(lower(r)::text, (upper(r) - 1)::text)) FROM unnest(c.coverage) r),
  (SELECT json_object_agg(b.block, b.transfers) FROM (
    SELECT (t.position >> 20)::text AS block, count(*) AS transfers FROM transfer t
    WHERE t.partition = c.partition AND t.collection_id = c.id GROUP BY 1
  ) b)
FROM collection c JOIN chain h ON h.id = c.chain_id`

/**
 * Invariant 2, checked in one snapshot of the database at any moment: covered blocks have exactly the transfers of the chain. A live
 * collection follows the fork of the cursor. The history of other collections has only final blocks. The cursor may be on an undone fork
 * meanwhile if nothing followed the chain for long.
 */
export async function checkCoverage({ chain, database, journal }: World): Promise<void> {
  const rows = (await database.rowsUnlessUnreachable<CollectionRow>(selectCovered)) ?? []
  for (const [address, status, hash, ranges, transfers] of rows) {
    const standard = chain.contracts.find((contract) => contract.address === address)?.standard
    if (!standard || hash === null) continue
    const cursor = chain.byHash(hash)
    if (!cursor) return journal.fault('2 coverage', `the cursor stands on ${hash}, which no node ever had`)
    journal.count('collections held to what they cover')
    const covers = (block: number) =>
      (status === 'live' && block <= cursor.number) ||
      ranges?.some(([from, to]) => block >= Number(from) && block <= Number(to))
    const claimed = status === 'live' ? chain.ancestry(cursor) : chain.blocks
    for (const { number, moves } of claimed) {
      if (!covers(number)) continue
      const made = moves.filter((move) => move.contract === address).length
      const kept = transfers?.[number] ?? 0
      if (made !== kept)
        journal.fault(
          '2 coverage',
          `${address} (${status}) covers block ${number} with ${kept} of its ${made} transfers`,
        )
    }
  }
}
