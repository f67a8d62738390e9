import type { Sql } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { partitionOf } from '../../sync/partition.ts'
import { createLru } from '../../util/createLru.ts'
import { type Address, hexToBuffer } from '../../util/hex.ts'
import type { Log } from '../../util/log.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'
import { isErc1155 } from '../transfers/transfer.ts'
import type { Moves } from './movesOf.ts'

type KnownContract = { partition: number; address: Address; standard: Standard }

const knownRow = defineLists<KnownContract>({
  partition: list.int2(({ partition }) => partition),
  address: list.bytea(({ address }) => hexToBuffer(address)),
  standard: list.text(({ standard }) => standard),
})

const insertKnown = `
INSERT INTO collection (partition, chain_id, address, standard, status) SELECT v.partition, $1, v.address, v.standard, 'known' FROM ${knownRow.unnest(2)}
ON CONFLICT (partition, chain_id, address) DO NOTHING`

/** Contracts of which it is remembered that they are known. */
const mostRemembered = 20_000

/** Notes the contracts of moves as known, where they are no collections: a narrow row each, of which no process keeps anything. */
export type NoteKnown = (chainId: bigint, moves: Moves) => Promise<void>

/**
 * To be called behind the commit of the moves, so that no transaction waits for another one's contracts. One that is missing after a crash is noted when a
 * page shows it. Never throws.
 */
export function createNoteKnown({ db, log }: { db: Sql; log: Log }): NoteKnown {
  const remembered = createLru<string, true>(mostRemembered)
  return async (chainId, { moves }) => {
    const found = new Map<Address, KnownContract>()
    for (const { contract, transfer } of moves) {
      if (found.has(contract) || remembered.get(`${chainId}:${contract}`)) continue
      const standard = isErc1155(transfer) ? 'ERC1155' : 'ERC721'
      found.set(contract, { partition: partitionOf(chainId, contract), address: contract, standard })
    }
    if (found.size === 0) return
    const contracts = [...found.values()].toSorted(
      (a, b) => a.partition - b.partition || (a.address < b.address ? -1 : 1),
    )
    try {
      await db.run(insertKnown, [chainId, ...knownRow.lists(contracts)])
      for (const { address } of contracts) remembered.set(`${chainId}:${address}`, true)
    } catch (err) {
      log.warn({ chain: chainId, err }, 'known contracts not stored')
    }
  }
}
