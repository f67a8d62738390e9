import type pg from 'pg'
import type { Database } from '../../src/db/database.ts'
import { positionOf } from '../../src/nft/transfers/position.ts'
import type { Transfer } from '../../src/nft/transfers/transfer.ts'
import type { CollectionKey } from '../../src/nft/transfers/transferGroup.ts'
import { partitionOf } from '../../src/sync/partition.ts'
import type { Address, Hex } from '../../src/util/hex.ts'
import { onServer } from '../onServer.ts'
import { seedCollection } from '../seedCollection.ts'

/** The worker, counted from 0, with the rows of each partition, in the database of `connection`. */
export async function workersOfPartitions(
  connection: pg.ClientConfig,
  workers: readonly pg.ClientConfig[],
): Promise<number[]> {
  const [found] = await onServer(
    connection,
    `SELECT n.nodeport FROM generate_series(0, 255) p
       JOIN pg_dist_placement s ON s.shardid = get_shard_id_for_distribution_column('collection', p::smallint)
       JOIN pg_dist_node n ON n.groupid = s.groupid ORDER BY p`,
  )
  return (found!.rows as [number][]).map(([port]) => workers.findIndex((worker) => worker.port === port))
}

/** Seeds a live collection whose rows are on worker `node`. */
export async function collectionOn(
  db: Database,
  { nodes, node, chainId }: { nodes: readonly number[]; node: number; chainId: bigint },
): Promise<CollectionKey> {
  for (let i = 1; ; i++) {
    const address: Address = `0x${String(i).padStart(40, '0')}`
    if (nodes[partitionOf(chainId, address)] !== node) continue
    const key = await seedCollection(db, { address, chainId })
    return { ...key, chainId, address, standard: 'ERC721', idInData: false }
  }
}

export const hashOf = (block: bigint): Hex => `0x${block.toString(16).padStart(64, '0')}`

export function transferAt(block: bigint, tokenId: string, from: string, to: string): Transfer {
  const transactionHash = 'ab'.repeat(32)
  return {
    ...{ position: positionOf(Number(block), 0), item: 0, tokenId, from, to, amount: '1', operator: null },
    ...{ transactionHash, transactionIndex: 0, blockHash: hashOf(block).slice(2), blockTime: null },
  }
}

/** An address, without 0x, whose rows as a wallet are on worker `node`. */
export function walletOn(nodes: readonly number[], { node, chainId }: { node: number; chainId: bigint }): string {
  for (let i = 1; ; i++) {
    const digits = i.toString(16).padStart(40, 'a')
    if (nodes[partitionOf(chainId, `0x${digits}`)] === node) return digits
  }
}
