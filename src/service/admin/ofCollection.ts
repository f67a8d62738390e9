import type { Database } from '../../db/database.ts'
import { createNftQuery } from '../../nft/pages/createNftQuery.ts'
import type { CollectionState } from '../../nft/query.ts'
import type { Address } from '../../util/hex.ts'

export type ChainAddress = { chainId: bigint; address: Address }

/**
 * What `work` gives of a collection. Where it gives undefined, as the row is gone, and the collection has another one by now, it is
 * asked once more: indexing anew puts a row in the place of another. undefined: the collection was never asked for, or was removed.
 */
export async function ofCollection<T>(
  db: Database,
  { chainId, address }: ChainAddress,
  work: (state: CollectionState) => Promise<T | undefined>,
): Promise<T | undefined> {
  const { state } = createNftQuery({ db })
  let before: bigint | undefined
  for (;;) {
    const now = await state(chainId, address)
    if (!now || now.id === before) return undefined
    const done = await work(now)
    if (done !== undefined) return done
    before = now.id
  }
}
