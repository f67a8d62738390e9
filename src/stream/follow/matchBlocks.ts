import { RpcError } from '../../chain/evm/rpc/rpcError.ts'
import { DoubtfulAnswerError } from '../../chain/evm/source/sourceError.ts'
import type { FollowedBlock } from '../../sync/blockHandler.ts'
import { isInputFault } from '../../util/faults/inputFault.ts'
import { mapAtOnce } from '../../util/mapAtOnce.ts'
import type { NewWebhook } from '../ledger/newWebhook.ts'
import { type MatchedBlock, match, type Needs, needsOf, type StreamMatch } from '../match/match.ts'
import { UnmatchableError } from '../match/unmatchableError.ts'
import { withoutTold } from '../match/withoutTold.ts'
import type { TokenReader } from '../payload/tokenReader.ts'
import { webhookPayload } from '../payload/webhookPayload.ts'
import type { ChainStreams } from './createChainStreams.ts'

/** Blocks whose webhooks are written at once: their reads overlap. */
const writtenAtOnce = 8

/** The parts of a block that matching needs. */
async function readParts(block: FollowedBlock, needs: Needs): Promise<MatchedBlock> {
  return {
    number: block.header.number,
    logs: needs.logs ? block.logs : [],
    transactions: needs.transactions ? await block.transactions() : [],
    internalTransfers: needs.internalTransfers ? await block.internalTransfers() : [],
  }
}

export type MatchBlocksOptions = {
  streams: ChainStreams
  blocks: readonly FollowedBlock[]
  chainId: bigint
  tokens: TokenReader
  live: boolean
  /** Nothing can be known of what happens inside of transactions. */
  traceless?: boolean
  /** The stream as it stood when it had these blocks before: what that matches is left out. */
  told?: ChainStreams | undefined
  /** A webhook above so many bytes is written in parts. */
  maxBytes: number
}

/** The unconfirmed webhooks of blocks, in order and block by block, each matched with what held for it. */
export async function matchBlocks(options: MatchBlocksOptions): Promise<NewWebhook[][]> {
  const { streams, blocks, chainId, tokens, live, maxBytes, traceless = false, told } = options
  const needs = blocks.map((block) => {
    streams.seek(block.header.number)
    const own = needsOf(streams.index.slots)
    return traceless ? { ...own, internalTransfers: false } : own
  })
  const parts = await Promise.all(blocks.map((block, i) => readParts(block, needs[i]!)))
  const matches = parts.map((part) => {
    streams.seek(part.number)
    const own = match(streams.index, part)
    if (!told || own.length === 0) return own
    told.seek(part.number)
    return withoutTold(own, match(told.index, part))
  })

  async function webhooksOf(own: StreamMatch, block: FollowedBlock): Promise<NewWebhook[]> {
    const { partition, id: streamId, definition } = own.stream
    const { number: blockNumber, hash: blockHash } = block.header
    const payloads = await webhookPayload(own, block, tokens, maxBytes).catch((cause: unknown) => {
      // What a node refuses for good or answers wrongly, or this program stumbles over, would hold up every other stream of the chain.
      const isRefused = (cause instanceof RpcError && !cause.retryable) || cause instanceof DoubtfulAnswerError
      const stays = isRefused || isInputFault(cause)
      throw stays ? new UnmatchableError({ streamId, cause, whileReading: true }) : cause
    })
    const { confirmedOnly } = definition
    const parts = payloads.length
    const common = { partition, streamId, chainId, blockNumber, blockHash, live, confirmedOnly, parts }
    return payloads.map((payload, i) => ({ ...common, kind: 'unconfirmed', part: i + 1, ...payload }))
  }

  return mapAtOnce(blocks, writtenAtOnce, async (block, i) =>
    (await Promise.all(matches[i]!.map((own) => webhooksOf(own, block)))).flat(),
  )
}
