import type { Header } from '../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../chain/evm/source/source.ts'
import type { Sql } from '../db/database.ts'
import { smaller } from '../util/extremes.ts'
import type { BlockName } from './blockHandler.ts'
import { blockHashes } from './chainStore.ts'

/**
 * Whether those of these blocks that become final are final blocks of the chain below the head. The head or the headers may come from a lagging node
 * on an undone fork, and blocks that are stored as final can never be undone. `blocks`: the fork and what was read above it; `before`: the last block
 * that was stored and final before.
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
  // The head joins the last block, hash by hash.
  if (last.hash === head.hash) return true
  const own = blocks.find(({ number }) => number === final)?.hash ?? (await blockHashes(db, chainId, final)).get(final)
  return own !== undefined && own === (await source.headerUnder(head, final, signal))?.hash
}
