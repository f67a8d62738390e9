import type { Header } from '../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../chain/evm/source/source.ts'
import type { Sql } from '../db/database.ts'
import { smaller } from '../util/extremes.ts'
import type { BlockName } from './blockHandler.ts'
import { blockHashes } from './chainStore.ts'

/**
 * Whether blocks that become final are final blocks of the head's chain. The head or the headers may come from a lagging node on an undone fork, and
 * blocks stored as final can never be undone. `blocks`: the fork and the read blocks above it; `before`: the last block already stored as final.
 */
export async function isFinalUnder(
  { db, source, chainId }: { db: Sql; source: Pick<EvmSource, 'headerUnder'>; chainId: bigint },
  head: Header,
  blocks: readonly BlockName[],
  { before, now, underHead }: { before: bigint; now: bigint; underHead: bigint },
  signal: AbortSignal,
): Promise<boolean> {
  const last = blocks.at(-1)!
  const final = smaller(last.number, now)
  if (final <= before) return true
  if (final > underHead) return false
  // The head follows the last block, hash by hash.
  if (last.hash === head.hash) return true
  const own = blocks.find(({ number }) => number === final)?.hash ?? (await blockHashes(db, chainId, final)).get(final)
  return own !== undefined && own === (await source.headerUnder(head, final, signal))?.hash
}
