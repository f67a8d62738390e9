import { RpcError } from '../../chain/evm/rpc/rpcError.ts'
import { InconsistentResponseError, TracesUnavailableError } from '../../chain/evm/source/sourceError.ts'
import type { FollowedBlock } from '../../sync/blockHandler.ts'
import { isInputFault } from '../../util/faults/inputFault.ts'
import type { Address } from '../../util/hex.ts'
import { mapAtOnce } from '../../util/mapAtOnce.ts'
import type { StreamShape } from '../definition/streamChange.ts'
import type { NewWebhook } from '../ledger/newWebhook.ts'
import {
  emittersToFilter,
  type MatchedBlock,
  match,
  type Needs,
  needsOf,
  type StreamMatch,
  withoutReported,
} from '../match/match.ts'
import { UnmatchableError } from '../match/unmatchableError.ts'
import type { TokenReader } from '../payload/tokenReader.ts'
import { webhookPayload } from '../payload/webhookPayload.ts'
import type { ChainStreams } from './createChainStreams.ts'

/** Blocks whose bodies are built in parallel, so that their reads overlap. */
const writtenAtOnce = 8

/** Reads the parts of a block that matching needs. */
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
  /** The blocks are at the head, not history. */
  live: boolean
  /** No node returns internal transactions: blocks are matched without them. */
  traceless?: boolean
  /** Former definitions with which the stream already matched these blocks: their matches are omitted. */
  reported?: readonly ChainStreams[] | undefined
  /** Larger webhooks are split, in bytes. */
  maxBytes: number
}

/** The unconfirmed webhooks of blocks, by block in order. Each block is matched with the state of the streams at it. */
export async function matchBlocks(options: MatchBlocksOptions): Promise<NewWebhook[][]> {
  const { streams, blocks, chainId, tokens, live, maxBytes, traceless = false, reported = [] } = options
  const needs = blocks.map((block) => {
    streams.seek(block.header.number)
    // Earlier matches are reconstructed, so all data that they used is needed.
    for (const one of reported) one.seek(block.header.number)
    const own = needsOf([streams, ...reported].flatMap(({ index }) => [...index.slots]))
    return traceless ? { ...own, internalTransfers: false } : own
  })
  const parts = await Promise.all(blocks.map((block, i) => readParts(block, needs[i]!)))
  const matchParts = (spam?: ReadonlySet<Address>) =>
    parts.map((part) => {
      streams.seek(part.number)
      const own = match(streams.index, part, spam)
      if (own.length === 0) return own
      return reported.reduce((unreported, one) => {
        one.seek(part.number)
        return unreported.length === 0 ? unreported : withoutReported(unreported, match(one.index, part, spam))
      }, own)
    })
  let matches = matchParts()
  const emitters = emittersToFilter(matches.flat())
  const spam = emitters.size > 0 ? await tokens.spamAmong([...emitters]) : emitters
  if (spam.size > 0) matches = matchParts(spam)

  async function webhooksOf(own: StreamMatch, block: FollowedBlock): Promise<NewWebhook[]> {
    const { partition, id: streamId, definition } = own.stream
    const { number: blockNumber, hash: blockHash } = block.header
    const payloads = await webhookPayload(own, block, tokens, maxBytes).catch((cause: unknown) => {
      // A node permanently rejects the request or returns inconsistent data, or this program has a bug: only this
      // stream stops, not the whole chain.
      const isRejected = (cause instanceof RpcError && !cause.retryable) || cause instanceof InconsistentResponseError
      const stays = isRejected || isInputFault(cause)
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

/**
 * The webhooks of one stream for blocks of its history or join. If no node returns internal transactions, and the
 * current `shape` does not request them, blocks from before that change are matched without them. Otherwise the stream
 * would wait forever.
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
