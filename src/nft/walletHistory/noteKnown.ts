import type { Sql } from '../../db/database.ts'
import { createLru } from '../../util/createLru.ts'
import type { Address } from '../../util/hex.ts'
import type { Log } from '../../util/log.ts'
import { insertKnown, type KnownContract } from '../store/knownContracts.ts'
import { isErc1155 } from '../transfers/transfer.ts'
import type { Moves } from './movesOf.ts'

/** Contracts of a chain of which it is remembered that they are known. */
const mostRemembered = 20_000

/** Notes the contracts of moves as known. `open`: their chain, as it is open: after a reset it is another object, and nothing is known of it. */
export type NoteKnown = (open: { chain: { id: bigint } }, moves: Moves) => Promise<void>

/**
 * To be called behind the commit of the moves, so that no transaction waits for another one's contracts. One that is missing after a crash is noted when a
 * page shows it. Never throws.
 */
export function createNoteKnown({ db, log }: { db: Sql; log: Log }): NoteKnown {
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
