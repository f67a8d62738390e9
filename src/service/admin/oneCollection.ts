import type { FlagValue } from '../../api/admin/collections.ts'
import type { Database } from '../../db/database.ts'
import {
  type CollectionDetail,
  type CollectionDetailOptions,
  readCollectionDetail,
} from '../../nft/pages/collections/collectionDetail.ts'
import { createNftQuery } from '../../nft/pages/createNftQuery.ts'
import type { CollectionState } from '../../nft/query.ts'
import { readVerdict, setOverrides, type Verdict } from '../../nft/spam/verdict.ts'
import { readKnownKey } from '../../nft/store/knownContracts.ts'
import type { NamedChain } from '../../sync/chainNames.ts'
import { commandWord } from '../../util/commandWord.ts'
import { NotFoundError } from '../../util/errors.ts'
import type { Address } from '../../util/hex.ts'

type ChainAddress = { chainId: bigint; address: Address }

/**
 * Reads the state of a collection, with all other stored data about it. Counts over its tokens are null if they take longer than `countMs`.
 * undefined: no request has named the collection yet, or it was removed.
 */
export function readCollection(
  db: Database,
  place: ChainAddress,
  options: CollectionDetailOptions,
): Promise<{ state: CollectionState; detail: CollectionDetail } | undefined> {
  return ofCollection(db, place, async (state) => {
    const detail = await readCollectionDetail(db, state, options)
    return detail && { state, detail }
  })
}

/**
 * Sets an operator's flags of a collection, or of a contract that only wallets brought, and returns the resulting verdict. undefined: the contract is
 * neither.
 */
export async function flagCollection(
  db: Database,
  place: ChainAddress,
  flags: { spam?: FlagValue | undefined; verified?: FlagValue | undefined },
): Promise<Verdict | undefined> {
  const flag = async (key: { partition: number; id: bigint }) => {
    await setOverrides(db, key, { spam: override(flags.spam), verified: override(flags.verified) })
    return readVerdict(db, key)
  }
  const verdict = await ofCollection(db, place, flag)
  if (verdict) return verdict
  const known = await readKnownKey(db, place)
  return known && flag(known)
}

function override(word: FlagValue | undefined): boolean | null | undefined {
  return word === undefined ? undefined : word === 'auto' ? null : word === 'yes'
}

/**
 * The result of `work` for a collection. Reindexing replaces the collection's row. If `work` returns undefined, as its row was removed, and the
 * collection has a new row by now, `work` is called again.
 */
async function ofCollection<T>(
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

/** The error of a command or an admin route for a contract without stored data. */
export function notIndexed(chain: NamedChain, address: Address, asker: 'command' | 'route'): NotFoundError {
  const start =
    asker === 'command'
      ? `"mintmark index ${commandWord(chain.name)} ${address}"`
      : `GET /api/v2/nft/${address}?chain=${encodeURIComponent(chain.name)}`
  return new NotFoundError(`${address} of ${chain.name} is not indexed: start its indexing with ${start}`, {
    details: { parameter: 'address' },
  })
}
