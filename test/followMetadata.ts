import { toHex } from 'viem'
import { knownChains } from '../src/chain/evm/chains.ts'
import type { ContractReader } from '../src/chain/evm/contracts/contract.ts'
import type { Database } from '../src/db/database.ts'
import { createMetrics } from '../src/metrics/metrics.ts'
import { followCollections } from '../src/nft/index/followCollections.ts'
import { sweepPart } from '../src/nft/metadata/store/sweep.ts'
import type { Standard } from '../src/nft/transfers/decodeTransfers.ts'
import type { Address, Hex } from '../src/util/hex.ts'
import { noopLog } from '../src/util/log.ts'
import type { LogToEmit } from './contracts/transferLogs.ts'
import { createScriptedChain } from './scriptedChain.ts'
import { seedCollection } from './seedCollection.ts'

const chain = { ...knownChains[0]!, name: 'eth', configured: false }
let collections = 0
let block = 0

export const word = (n: bigint | number): Hex => toHex(n, { size: 32 })

/** Makes a live collection, and blocks that contain only its logs. */
export async function followMetadata(db: Database, standard: Standard, tokens: readonly bigint[] = []) {
  const address: Address = `0x${toHex(++collections, { size: 20 }).slice(2)}`
  const key = await seedCollection(db, { address, chainId: chain.id, tokens, columns: { standard } })
  const { source } = createScriptedChain(address, 8)
  const handler = await followCollections({
    ...{ chain, source, db, metrics: createMetrics(), log: noopLog },
    ...{ contracts: {} as ContractReader, metadataCoolOffMs: 0, maxTokens: 100_000 },
  })
  const ids = [key.partition, key.id]
  /** Whether a sweep of the collection is requested. */
  async function isUnswept(): Promise<boolean> {
    const sql = 'SELECT metadata_unswept FROM collection WHERE partition = $1 AND id = $2'
    const [row] = await db.rows<[boolean]>(sql, ids)
    return row![0]
  }
  return {
    key,
    async apply(logs: readonly LogToEmit[]): Promise<void> {
      const number = BigInt(++block)
      const place = { blockNumber: toHex(number), blockHash: word(number), transactionIndex: '0x0' as const }
      const header = {
        number,
        hash: word(number),
        parentHash: word(number - 1n),
        timestamp: number,
        transactionCount: 1,
      }
      const nothing = async () => []
      const parts = { transactions: nothing, receipts: nothing, internalTransfers: nothing, balances: nothing }
      const rpcLogs = logs.map(({ topics, data }, i) => ({
        ...{ address, topics: [...topics], data, ...place },
        ...{ transactionHash: word(number * 1_000n + BigInt(i)), logIndex: toHex(i) },
      }))
      await db.transaction((tx) =>
        handler.apply(tx, { header: { ...header, logsBloom: null }, logs: rpcLogs, undoable: true, ...parts }),
      )
    },
    /** Undoes the last `depth` blocks. */
    async undo(depth: number): Promise<void> {
      block -= depth
      await db.transaction((tx) => handler.revert(tx, BigInt(block)))
    },
    finalize: () => db.transaction((tx) => handler.finalize(tx, BigInt(block))),
    /** Returns the ids that are due now, in order. */
    async readDue(): Promise<string[]> {
      const rows = await db.rows<[string]>(
        'SELECT token_id FROM metadata_due WHERE partition = $1 AND collection_id = $2 AND due_at <= now() ORDER BY token_id',
        ids,
      )
      return rows.flat()
    },
    /** Marks every token as read, and those of `failed` as failed with a long pause. */
    async read(failed: readonly string[] = []): Promise<void> {
      await db.run('DELETE FROM metadata_due WHERE partition = $1 AND collection_id = $2', ids)
      await db.run(
        `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, record, tried_at)
         SELECT partition, collection_id, token_hash, 'ok', 0, '', now() FROM token WHERE partition = $1 AND collection_id = $2
         ON CONFLICT DO NOTHING`,
        ids,
      )
      await db.run(
        `INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at, attempts)
         SELECT partition, collection_id, token_hash, token_id, now() + interval '7 days', 7 FROM token
         WHERE partition = $1 AND collection_id = $2 AND token_id = ANY($3::numeric[])`,
        [...ids, failed],
      )
    },
    isUnswept,
    /** Sweeps to the end, as `readMetadata` does. */
    async sweep(): Promise<void> {
      while (await isUnswept()) await db.transaction((tx) => sweepPart(tx, key, 0))
    },
  }
}
