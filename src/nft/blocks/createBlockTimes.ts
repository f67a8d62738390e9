import type { Database } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import type { OpenChains } from '../../sync/openChains.ts'
import { bufferToHex, type Hex, hexToBuffer } from '../../util/hex.ts'
import { askNode } from './askNode.ts'

/** A stored block with transfers whose time is not known. */
export type UntimedBlock = { partition: number; collectionId: bigint; number: bigint; hash: Hex }

/** The times of blocks that neither history nor following brought. */
export type BlockTimes = {
  /**
   * Stores the times of blocks of a chain, so that they are asked for once: from the blocks that are followed, else from the nodes. A block
   * that a reorganisation undoes meanwhile is left alone. Throws UnavailableError.
   */
  fill(chainId: bigint, blocks: readonly UntimedBlock[]): Promise<void>
}

type TimedBlock = UntimedBlock & { timestamp: bigint }

export function createBlockTimes({ db, openChains }: { db: Database; openChains: OpenChains }): BlockTimes {
  /** Readings under way, by what they read: many clients ask for the same page at once. */
  const filling = new Map<string, Promise<void>>()

  async function fill(chainId: bigint, blocks: readonly UntimedBlock[]): Promise<void> {
    const hashes = new Map(blocks.map(({ number, hash }) => [hash, number]))
    const times = await readFollowed(db, chainId, [...hashes.values()])
    const missing = [...hashes].flatMap(([hash, number]) => (times.has(hash) ? [] : [{ number, hash }]))
    if (missing.length > 0)
      for (const { hash, timestamp } of await askNode(openChains, chainId, 'the time of blocks', (source, signal) =>
        source.headersOf(missing, signal),
      ))
        times.set(hash, timestamp)
    const timed = blocks.flatMap((block) => {
      const timestamp = times.get(block.hash)
      return timestamp === undefined ? [] : [{ ...block, timestamp }]
    })
    await db.run(setTimes, [chainId, ...timedRows.lists(timed)])
  }

  return {
    async fill(chainId, blocks) {
      const name = `${chainId} ${blocks.map(({ collectionId, hash }) => `${collectionId} ${hash}`).join()}`
      let work = filling.get(name)
      if (!work) {
        work = fill(chainId, blocks).finally(() => filling.delete(name))
        filling.set(name, work)
      }
      await work
    },
  }
}

const timedRows = defineLists<TimedBlock>({
  partition: list.int2(({ partition }) => partition),
  collection_id: list.int8(({ collectionId }) => collectionId),
  number: list.int8(({ number }) => number),
  hash: list.bytea(({ hash }) => hexToBuffer(hash)),
  timestamp: list.int8(({ timestamp }) => timestamp),
})

/** In the order of the key, so that two that set the same times wait for each other in one order. */
const setTimes = `
UPDATE transfer_block b SET timestamp = v.timestamp
FROM (
  SELECT b.ctid, v.timestamp FROM ${timedRows.unnest(2)}
  CROSS JOIN LATERAL (
    SELECT b.ctid FROM transfer_block b
    WHERE b.partition = v.partition AND b.chain_id = $1 AND b.number = v.number AND b.collection_id = v.collection_id
      AND b.hash = v.hash AND b.timestamp IS NULL
    LIMIT 1
  ) b
  ORDER BY v.partition, v.number, v.collection_id
) v
WHERE b.ctid = v.ctid`

/** The times of the blocks that can still be undone, by their hash. */
async function readFollowed(db: Database, chainId: bigint, numbers: readonly bigint[]): Promise<Map<Hex, bigint>> {
  const rows = await db.rows<[Buffer, bigint]>(
    'SELECT hash, timestamp FROM block WHERE chain_id = $1 AND number = ANY($2::int8[])',
    [chainId, numbers],
  )
  return new Map(rows.map(([hash, timestamp]) => [bufferToHex(hash), timestamp]))
}
