import type { Header } from '../../chain/evm/rpc/rpc.ts'
import type { Database } from '../../db/database.ts'
import type { BlockRange } from '../../sync/blockRange.ts'
import { blockHashes } from '../../sync/chainStore.ts'
import type { OpenChain } from '../../sync/openChains.ts'
import { HistoryLaggingError } from './historyError.ts'

/**
 * Headers of blocks that are followed and final. Throws HistoryLaggingError if the node lacks them, or has other
 * hashes, like a node on an undone fork: their matches would be sent as confirmed.
 */
export async function readPastHeaders(
  db: Database,
  { chain, source }: OpenChain,
  { from, to }: BlockRange,
  signal: AbortSignal,
): Promise<Header[]> {
  const headers = await source.headers(from, to, signal)
  if (BigInt(headers.length) !== to - from + 1n)
    throw new HistoryLaggingError(`the node of ${chain.name} does not have blocks ${from} to ${to} at the moment`)
  const followed = await blockHashes(db, chain.id, from, to)
  const other = headers.find(({ number, hash }) => (followed.get(number) ?? hash) !== hash)
  if (other)
    throw new HistoryLaggingError(
      `the node of ${chain.name} has another block ${other.number} than the one that is followed, at the moment`,
    )
  return headers
}
