import { TracesUnavailableError } from '../../chain/evm/source/sourceError.ts'
import type { FollowedBlock } from '../../sync/blockHandler.ts'
import type { Address } from '../../util/hex.ts'
import { createSlots } from '../../util/mapAtOnce.ts'
import { createPace } from '../../util/threads/createPace.ts'
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
import type { TokenReader } from '../payload/tokenReader.ts'
import { webhookPayload } from '../payload/webhookPayload.ts'
import type { ChainStreams } from './createChainStreams.ts'
import { createReadLimit, type ReadLimit } from './createReadLimit.ts'
import { MissingDataError, readAll, toMissingData } from './missingDataError.ts'

/** Blocks whose bodies are built in parallel, so that their reads overlap. */
const writtenAtOnce = 8

/** So many bodies are written without a pause: pauses would take a twentieth of the matching's time. */
const fewWebhooks = 100

/** How long other streams of a chain wait at its head while the nodes return nothing for one, in milliseconds. */
const patienceMs = 10_000
/** The limit in history, whose streams do not wait for each other. */
const noLimit: ReadLimit = { within: (read) => read, end: () => undefined }

/** Reads the parts of a block that matching needs. Throws MissingDataError for the streams that need a part. */
async function readParts(
  block: FollowedBlock,
  { needs, streams, limit }: { needs: Needs; streams: ChainStreams; limit: ReadLimit },
): Promise<MatchedBlock> {
  async function read<T>(part: 'transactions' | 'internalTransfers', request: () => Promise<readonly T[]>) {
    if (!needs[part]) return []
    return limit.within(request()).catch((cause: unknown) => {
      throw toMissingData(streams.needing(part), cause)
    })
  }
  const [transactions, internalTransfers] = await Promise.all([
    read('transactions', () => block.transactions()),
    read('internalTransfers', () => block.internalTransfers()),
  ])
  return { number: block.header.number, logs: needs.logs ? block.logs : [], transactions, internalTransfers }
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

/**
 * The unconfirmed webhooks of blocks, by block in order. Each block is matched with the state of the streams at it. Throws
 * MissingDataError for all streams whose data the nodes do not return.
 */
export async function matchBlocks(options: MatchBlocksOptions): Promise<NewWebhook[][]> {
  const limit = options.live ? createReadLimit(patienceMs) : noLimit
  try {
    return await matchWithin(options, limit)
  } finally {
    limit.end()
  }
}

async function matchWithin(options: MatchBlocksOptions, limit: ReadLimit): Promise<NewWebhook[][]> {
  const { streams, blocks, chainId, tokens, live, maxBytes, traceless = false, reported = [] } = options
  const needs = blocks.map((block) => {
    streams.seek(block.header.number)
    // Earlier matches are reconstructed, so all data that they used is needed.
    for (const one of reported) one.seek(block.header.number)
    const own = needsOf([streams, ...reported].flatMap(({ index }) => [...index.slots]))
    return traceless ? { ...own, internalTransfers: false } : own
  })
  const parts = await readAll(blocks.map((block, i) => readParts(block, { needs: needs[i]!, streams, limit })))
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

  const pace = matches.flat().length > fewWebhooks ? createPace() : async () => undefined
  async function webhooksOf(own: StreamMatch, block: FollowedBlock): Promise<NewWebhook[]> {
    const { partition, id: streamId, definition } = own.stream
    const { number: blockNumber, hash: blockHash } = block.header
    const payload = webhookPayload(own, block, { reader: tokens, maxBytes, pace })
    const payloads = await limit.within(payload).catch((cause: unknown) => {
      throw toMissingData([streamId], cause)
    })
    const { confirmedOnly } = definition
    const parts = payloads.length
    const common = { partition, streamId, chainId, blockNumber, blockHash, live, confirmedOnly, parts }
    return payloads.map((payload, i) => ({ ...common, kind: 'unconfirmed', part: i + 1, ...payload }))
  }

  const written = createSlots(writtenAtOnce)
  const all = blocks.map((block, i) => written(() => readAll(matches[i]!.map((own) => webhooksOf(own, block)))))
  return (await readAll(all)).map((webhooks) => webhooks.flat())
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
    const isTraceless = error instanceof MissingDataError && error.cause instanceof TracesUnavailableError
    if (!isTraceless || (active && definition.includeInternalTxs)) throw error
    return matchBlocks({ ...options, live: false, traceless: true })
  }
}
