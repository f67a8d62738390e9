import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import type { Sql } from '../../db/database.ts'
import { blockHashes } from '../../sync/chainStore.ts'
import type { Joinable } from '../store/liveCollections.ts'
import { topicsOf } from '../transfers/decodeTransfers.ts'

/**
 * The logs of one collection from the end of its history to block `to`; undefined where a block of them is none of the followed ones, as
 * the chain moved.
 */
export async function readFollowedLogs(
  { source, db, chainId }: { source: EvmSource; db: Sql; chainId: bigint },
  collection: Joinable,
  { to, signal }: { to: bigint; signal: AbortSignal },
): Promise<RpcLog[] | undefined> {
  const known = await blockHashes(db, chainId, collection.toBlock + 1n)
  const logs: RpcLog[] = []
  for (let from = collection.toBlock + 1n; from <= to; ) {
    const range = {
      address: collection.address,
      topics: topicsOf(collection.standard === null ? collection.coins : collection.standard === 'ERC1155'),
      from,
      to,
    }
    const answer = await source.logs(range, signal)
    if (known.get(answer.to) !== answer.toHash) return undefined
    if (answer.logs.some((entry) => known.get(BigInt(entry.blockNumber)) !== entry.blockHash)) return undefined
    for (const entry of answer.logs) logs.push(entry)
    from = answer.to + 1n
  }
  return logs
}
