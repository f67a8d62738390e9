import type { Sql } from '../../db/database.ts'
import { createLru } from '../../util/createLru.ts'
import type { Address } from '../../util/hex.ts'
import type { Log } from '../../util/log.ts'
import { insertKnown, type KnownContract } from '../store/knownContracts.ts'
import { isErc1155 } from '../transfers/transfer.ts'
import type { Moves } from './movesOf.ts'

/** Contracts of which it is remembered that they are known. */
const mostRemembered = 20_000

/** Notes the contracts of moves as known. */
export type NoteKnown = (chainId: bigint, moves: Moves) => Promise<void>

/**
 * To be called behind the commit of the moves, so that no transaction waits for another one's contracts. One that is missing after a crash is noted when a
 * page shows it. Never throws.
 */
export function createNoteKnown({ db, log }: { db: Sql; log: Log }): NoteKnown {
  const remembered = createLru<string, true>(mostRemembered)
  return async (chainId, { moves }) => {
    const found = new Map<Address, KnownContract>()
    for (const { contract, transfer } of moves)
      if (!found.has(contract) && !remembered.get(`${chainId}:${contract}`))
        found.set(contract, { address: contract, standard: isErc1155(transfer) ? 'ERC1155' : 'ERC721' })
    if (found.size === 0) return
    try {
      await insertKnown(db, chainId, [...found.values()], { discovered: false })
      for (const address of found.keys()) remembered.set(`${chainId}:${address}`, true)
    } catch (err) {
      log.warn({ chain: chainId, err }, 'known contracts not stored')
    }
  }
}
