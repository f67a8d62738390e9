import type { FlagWord } from '../../api/admin/collections.ts'
import type { Database } from '../../db/database.ts'
import { readVerdict, setOverrides, type Verdict } from '../../nft/spam/verdict.ts'
import { type ChainAddress, ofCollection } from './ofCollection.ts'

/** Sets what an operator says of a collection, and tells what it counts as now. undefined: the collection was never asked for. */
export function flagCollection(
  db: Database,
  place: ChainAddress,
  words: { spam?: FlagWord | undefined; verified?: FlagWord | undefined },
): Promise<Verdict | undefined> {
  return ofCollection(db, place, async (state) => {
    await setOverrides(db, state, { spam: override(words.spam), verified: override(words.verified) })
    return readVerdict(db, state)
  })
}

function override(word: FlagWord | undefined): boolean | null | undefined {
  return word === undefined ? undefined : word === 'auto' ? null : word === 'yes'
}
