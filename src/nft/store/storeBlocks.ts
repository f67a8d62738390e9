import { copyRows } from '../../db/copyRows.ts'
import type { Transaction } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { positionsPerBlock } from '../transfers/position.ts'
import type { Transfer } from '../transfers/transfer.ts'
import type { CollectionKey, TransferGroup } from '../transfers/transferGroup.ts'

/** A block with transfers of a collection. */
type MovedBlock = { collection: CollectionKey; number: number; hash: string; time: number | null }

/**
 * Stores the blocks of transfers, which each group has in the order of the chain. The first block of a group may be there already, as what
 * was stored before may have ended within it; the others are new, so they are copied, at a third of the cost.
 */
export async function storeBlocks(tx: Transaction, groups: readonly TransferGroup[]): Promise<void> {
  const firsts = groups.flatMap(({ collection, transfers }) =>
    transfers.length > 0 ? [blockOf(collection, transfers[0]!)] : [],
  )
  await tx.run(
    `INSERT INTO transfer_block (${blockRows.columns}) SELECT * FROM ${blockRows.unnest()} ON CONFLICT DO NOTHING`,
    blockRows.lists(firsts),
  )
  const lines = laterLines(groups)
  const first = lines.next()
  if (!first.done)
    await tx.copy(`COPY transfer_block (${blockRows.columns}) FROM STDIN`, copyRows(joined(first.value, lines)))
}

const blockRows = defineLists<MovedBlock>({
  partition: list.int2(({ collection }) => collection.partition),
  chain_id: list.int8(({ collection }) => collection.chainId),
  number: list.int8(({ number }) => number),
  collection_id: list.int8(({ collection }) => collection.id),
  hash: list.bytea(({ hash }) => Buffer.from(hash, 'hex')),
  timestamp: list.int8(({ time }) => time),
})

function blockOf(collection: CollectionKey, { position, blockHash, blockTime }: Transfer): MovedBlock {
  return { collection, number: Math.floor(position / positionsPerBlock), hash: blockHash, time: blockTime }
}

/** Lines of all blocks but the first one of each group. */
function* laterLines(groups: readonly TransferGroup[]): Generator<string, undefined> {
  for (const { collection, transfers } of groups) {
    const { partition, chainId, id } = collection
    let last = transfers[0]?.position ?? 0
    last -= last % positionsPerBlock
    for (const { position, blockHash, blockTime } of transfers) {
      if (position - last < positionsPerBlock) continue
      last = position - (position % positionsPerBlock)
      yield `${partition}\t${chainId}\t${last / positionsPerBlock}\t${id}\t\\\\x${blockHash}\t${blockTime ?? '\\N'}\n`
    }
  }
}

function* joined(first: string, rest: Iterable<string>): Generator<string> {
  yield first
  yield* rest
}
