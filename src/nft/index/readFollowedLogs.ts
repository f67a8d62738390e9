import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { EvmSource, LogRange } from '../../chain/evm/source/source.ts'
import type { Sql } from '../../db/database.ts'
import { blockHashes } from '../../sync/chainStore.ts'

/**
 * Logs of a range from the end of history to the last followed block. undefined: one of the blocks is not followed, as
 * the chain moved.
 */
export async function readFollowedLogs(
  { source, db, chainId }: { source: Pick<EvmSource, 'logs'>; db: Sql; chainId: bigint },
  range: LogRange,
  signal: AbortSignal,
): Promise<RpcLog[] | undefined> {
  const known = await blockHashes(db, chainId, range.from)
  const logs: RpcLog[] = []
  for (let { from } = range; from <= range.to; ) {
    const answer = await source.logs({ ...range, from }, signal)
    if (known.get(answer.to) !== answer.toHash) return undefined
    if (answer.logs.some((entry) => known.get(BigInt(entry.blockNumber)) !== entry.blockHash)) return undefined
    for (const entry of answer.logs) logs.push(entry)
    from = answer.to + 1n
  }
  return logs
}
