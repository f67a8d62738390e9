import type { Sql } from '../../db/database.ts'
import { createLru } from '../../util/createLru.ts'
import type { Address } from '../../util/hex.ts'
import type { Log } from '../../util/log.ts'
import { insertKnown, type KnownContract } from '../store/knownContracts.ts'
import { isErc1155 } from '../transfers/transfer.ts'
import type { Moves } from './movesOf.ts'

/** Contracts of a chain that are remembered as known. */
const mostRemembered = 20_000

/** Stores the contracts of moves as known. `open`: their open chain: after a reset it is another object, for which nothing is remembered. */
export type StoreKnown = (open: { chain: { id: bigint } }, moves: Moves) => Promise<void>

/**
 * Must be called after the commit of the moves, so that no transaction waits for another one's contracts. After a crash, a missing one is stored when
 * a page shows it. Never throws.
 */
export function createStoreKnown({ db, log }: { db: Sql; log: Log }): StoreKnown {
  const ofChains = new WeakMap<object, ReturnType<typeof createLru<Address, true>>>()
  return async (open, { moves }) => {
    const chainId = open.chain.id
    const remembered = ofChains.get(open) ?? createLru<Address, true>(mostRemembered)
    ofChains.set(open, remembered)
    const found = new Map<Address, KnownContract>()
    for (const { contract, transfer } of moves)
      if (!found.has(contract) && !remembered.get(contract))
        found.set(contract, { address: contract, standard: isErc1155(transfer) ? 'ERC1155' : 'ERC721' })
    if (found.size === 0) return
    try {
      await insertKnown(db, chainId, [...found.values()], { discovered: false })
      for (const address of found.keys()) remembered.set(address, true)
    } catch (err) {
      log.warn({ chain: chainId, err }, 'known contracts not stored')
    }
  }
}
