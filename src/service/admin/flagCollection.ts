import type { FlagWord } from '../../api/admin/collections.ts'
import type { Database } from '../../db/database.ts'
import { createNftQuery } from '../../nft/pages/createNftQuery.ts'
import { readVerdict, setOverrides, type Verdict } from '../../nft/spam/verdict.ts'
import type { Address } from '../../util/hex.ts'

/** Sets what an operator says of a collection, and tells what it counts as now. undefined: the collection was never asked for. */
export async function flagCollection(
  db: Database,
  { chainId, address }: { chainId: bigint; address: Address },
  words: { spam?: FlagWord | undefined; verified?: FlagWord | undefined },
): Promise<Verdict | undefined> {
  const state = await createNftQuery({ db }).state(chainId, address)
  if (!state) return undefined
  await setOverrides(db, state, { spam: override(words.spam), verified: override(words.verified) })
  return readVerdict(db, state)
}

function override(word: FlagWord | undefined): boolean | null | undefined {
  return word === undefined ? undefined : word === 'auto' ? null : word === 'yes'
}
