import type { World } from '../world.ts'

type CollectionRow = [id: string, address: string, status: string, ranges: [string, string][] | null]

/**
 * Invariant 2, looked at in one snapshot of the database at any moment: for every block that a collection claims to cover, the transfers
 * that are stored are those of the chain. A live collection follows the fork that the cursor stands on; the history of any other one holds
 * final blocks, and the cursor may stand on an undone fork beside these where nothing followed the chain for long.
 */
export async function checkCoverage({ chain, database, journal }: World): Promise<void> {
  const seen = await database
    .snapshot(async (rows) => ({
      cursor: (await rows<[string | null]>(`SELECT '0x' || encode(block_hash, 'hex') FROM chain`))[0]?.[0],
      collections: await rows<CollectionRow>(
        `SELECT id::text, '0x' || encode(address, 'hex'), status,
           (SELECT json_agg(json_build_array(lower(r)::text, (upper(r) - 1)::text)) FROM unnest(coverage) r) FROM collection`,
      ),
      transfers: await rows<[string, string, string]>(
        `SELECT collection_id::text, (position >> 20)::text, count(*)::text FROM transfer GROUP BY 1, 2`,
      ),
    }))
    // The database may be away.
    .catch(() => undefined)
  if (!seen?.cursor) return
  const cursor = chain.byHash(seen.cursor)
  if (!cursor) return journal.fault('2 coverage', `the cursor stands on ${seen.cursor}, which no node ever had`)
  const stored = new Map(seen.transfers.map(([id, block, count]) => [`${id} ${block}`, Number(count)]))
  const ancestry = chain.ancestry(cursor)
  for (const [id, address, status, ranges] of seen.collections) {
    const standard = chain.contracts.find((contract) => contract.address === address)?.standard
    if (!standard) continue
    const covers = (block: number) =>
      (status === 'live' && block <= cursor.number) ||
      ranges?.some(([from, to]) => block >= Number(from) && block <= Number(to))
    const claimed = status === 'live' ? ancestry : chain.blocks
    for (const { number, moves } of claimed) {
      if (!covers(number)) continue
      const made = moves.filter((move) => move.contract === address).length
      const kept = stored.get(`${id} ${number}`) ?? 0
      if (made !== kept)
        journal.fault(
          '2 coverage',
          `${address} (${status}) covers block ${number} with ${kept} of its ${made} transfers`,
        )
    }
  }
}
