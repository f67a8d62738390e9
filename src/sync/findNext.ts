import type { EvmChain } from '../chain/evm/chains.ts'
import type { Header } from '../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../chain/evm/source/source.ts'
import type { Database } from '../db/database.ts'
import { smaller } from '../util/extremes.ts'
import type { BlockName } from './blockHandler.ts'
import { findFork } from './findFork.ts'

/** The last common block of the node's chain and the stored one, and the node's next blocks, at most `most`. */
export async function findNext(
  at: { block: BlockName; finalized: bigint; head: Header; most: bigint },
  from: { db: Database; source: EvmSource; chain: EvmChain; signal: AbortSignal },
): Promise<'lagging' | { fork: BlockName; headers: Header[] }> {
  const { block: cursor, finalized, head, most } = at
  const { source, signal } = from
  const after = ({ number }: BlockName) => source.headers(number + 1n, smaller(number + most, head.number), signal)
  if (head.number > cursor.number) {
    const headers = await after(cursor)
    if (headers.length === 0) return 'lagging'
    if (headers[0]!.parentHash === cursor.hash) return { fork: cursor, headers }
  }
  const fork = await findFork({ ...from, cursor, finalized, head })
  if (fork === 'lagging') return fork
  if (fork.number === cursor.number) return 'lagging'
  const headers = head.number > fork.number ? await after(fork) : []
  if (headers[0] && headers[0].parentHash !== fork.hash) return 'lagging'
  return { fork, headers }
}
