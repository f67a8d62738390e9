import type { Database } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/databaseError.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { lookUpKeys, onlyPartition, type Within, within, withStagingTables } from '../../db/staging/stagingTables.ts'
import type { Standards } from '../transfers/decodeTransfers.ts'
import { tokenFacts } from '../transfers/tokenFacts.ts'
import { highestHash, lowestHash } from '../transfers/tokenHash.ts'
import { changeQueue, collectionKey, processLocked } from './lockCollections.ts'
import type { PendingBuild } from './walletUpdates.ts'
import { stageHeld, writeHeld, writeNew } from './writeHeld.ts'

/**
 * Builds holdings of wallets from current tokens and balances, for collections whose transfers `writeTransfers` wrote. `part` of `parts`: a range of
 * token hashes; the queue rows are deleted with the last one. Returns the number of collections. Skips those that another transaction works on, that
 * were removed, or whose partition worker `worker` does not hold.
 *
 * Wallets had no holdings of them before, so nothing has to be deleted. Transfers during the build have their own queue row, and from the first part
 * (`owner_count` has a row) these rows are processed individually. After a crash all parts are built again.
 */
export async function buildWallets(
  db: Database,
  builds: readonly PendingBuild[],
  worker: number,
  { part, parts } = { part: 0, parts: 1 },
): Promise<number> {
  const of = within(onlyPartition(builds))
  const hashes = [boundary(part, parts), boundary(part + 1, parts)]
  const write = (statement: string) =>
    processLocked(db, builds, worker, async (tx, _, locked) => {
      const all = [...locked.values()]
      await withStagingTables(tx, { stages: ['stage_wallet'] }, async () => {
        for (const standards of ['ERC721', 'ERC1155', 'both'] as const) {
          const own = all.filter((collection) => collection.standards === standards)
          if (own.length > 0) await tx.fresh.run(stages[standards](of), [...collectionKey.lists(own), ...hashes])
        }
        await tx.script(lookUpKeys)
        await tx.fresh.run(statement, collectionKey.lists(all))
      })
    })
  // Checking for existing tokens takes half as long again, so it is done only if a crash left some.
  const built = await write(writeNew).catch((error: unknown) => {
    if (isUniqueViolation(error)) return write(writeHeld)
    throw error
  })
  if (built.length > 0 && part + 1 === parts) await changeQueue(db, deleteBuilt(of), buildKey.lists(built))
  return built.length
}

/** The lowest hash of a part; after the last part, the highest hash. Hashes are evenly spread. */
function boundary(part: number, parts: number): string {
  if (part === parts) return highestHash
  const step = (BigInt(`0x${highestHash}`) + 1n) / BigInt(parts)
  return (step * BigInt(part)).toString(16).padStart(lowestHash.length, '0')
}

/** A token at the boundary of two parts is built twice, without effect. */
const inPart = (row: string) => `${row}.token_hash >= $3::uuid AND ${row}.token_hash <= $4::uuid`

const collections = (of: Within) =>
  `${collectionKey.unnest(1, 'k')} JOIN collection c ON c.partition = k.partition AND c.id = k.collection_id${of('c')}`

const owned = (of: Within) => `
SELECT c.chain_id, t.owner AS wallet, t.partition, t.collection_id, t.token_hash, 1::numeric AS amount, ${tokenFacts} AS facts
FROM ${collections(of)} JOIN token t ON t.partition = c.partition AND t.collection_id = c.id${of('t')} AND ${inPart('t')}
WHERE t.amount > 0`

const balances = (of: Within) => `
SELECT c.chain_id, b.holder AS wallet, b.partition, b.collection_id, b.token_hash, b.amount, NULL::bytea AS facts
FROM ${collections(of)} JOIN balance b ON b.partition = c.partition AND b.collection_id = c.id${of('b')} AND ${inPart('b')}
WHERE b.amount > 0`

const stageAll = (held: string) => stageHeld(`(${held}) t`, 't.amount', 't.facts')

const stages: Record<Standards, (of: Within) => string> = {
  ERC721: (of) => stageAll(owned(of)),
  ERC1155: (of) => stageAll(balances(of)),
  both: (of) => stageAll(`${owned(of)} AND NOT t.erc1155 UNION ALL ${balances(of)}`),
}

const buildKey = defineLists<PendingBuild>({
  partition: list.int2((build) => build.partition),
  collection_id: list.int8((build) => build.collectionId),
  newest: list.int8((build) => build.newest),
})

/** As `deleteUpdates` of `updateWallets`, without rows whose transfers were written after the first part began. */
const deleteBuilt = (of: Within) => `
DELETE FROM wallet_due d USING ${buildKey.unnest(1, 'k')}
WHERE d.partition = k.partition AND d.collection_id = k.collection_id AND d.id <= k.newest AND d.transfers_written${of('d')}
  AND EXISTS (SELECT 1 FROM collection c WHERE c.partition = d.partition AND c.id = d.collection_id)`
