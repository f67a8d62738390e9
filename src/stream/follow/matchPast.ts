import { TracesUnavailableError } from '../../chain/evm/source/sourceError.ts'
import type { StreamShape } from '../definition/streamChange.ts'
import type { NewWebhook } from '../ledger/newWebhook.ts'
import { type MatchBlocksOptions, matchBlocks } from './matchBlocks.ts'

/**
 * The webhooks of blocks for one stream that history reads. Where no node tells what happens inside of transactions, and the stream
 * as it is now (`shape`) does not ask for it any more, blocks from before it stopped asking are matched without: else it would
 * wait for ever.
 */
export async function matchPast(
  options: Omit<MatchBlocksOptions, 'live' | 'traceless'>,
  { active, definition }: StreamShape,
): Promise<NewWebhook[][]> {
  try {
    return await matchBlocks({ ...options, live: false })
  } catch (error) {
    if (!(error instanceof TracesUnavailableError) || (active && definition.includeInternalTxs)) throw error
    return matchBlocks({ ...options, live: false, traceless: true })
  }
}
