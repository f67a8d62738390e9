import type { Header } from '../../chain/evm/rpc/rpc.ts'
import type { OpenChain } from '../../sync/openChains.ts'
import { everyLog, readBlocks } from '../../sync/readBlocks.ts'
import { ConflictError, UnavailableError } from '../../util/errors.ts'
import { shownReason } from '../../util/faults/shownReason.ts'
import { unlessAborted } from '../../util/wait.ts'
import type { StreamShape } from '../definition/streamChange.ts'
import { createChainStreams } from '../follow/createChainStreams.ts'
import { HistoryLaggingError } from '../follow/historyError.ts'
import { matchBlocks } from '../follow/matchBlocks.ts'
import { UnmatchableError } from '../match/unmatchableError.ts'
import type { TokenReader } from '../payload/tokenReader.ts'
import { confirmedBody } from '../payload/webhookPayload.ts'
import type { PreviewCut, StreamPreview } from '../query.ts'
import { createTally } from './tally.ts'

export type PreviewOptions = {
  open: OpenChain
  tokens: TokenReader
  /** '' for a stream that is not stored. */
  streamId: string
  shape: StreamShape
  /** Packed by `packAddresses`. */
  addresses: Buffer | null
  /** The last block to match, and the number of blocks. */
  head: bigint
  blocks: number
  /** Larger webhooks are split, in bytes. */
  maxBytes: number
  /** Ends the preview, which then has the blocks matched so far. */
  signal: AbortSignal
}

/** Blocks read in parallel: half as many as for history, as the follower uses the same nodes. */
const readsInFlight = 4

/**
 * The webhooks that a stream would have received for the last blocks, latest first, by the code of stored streams.
 * Stores nothing. The preview ends at a block that cannot be read or matched. If that is the first one, it throws
 * UnavailableError for an unreadable block, ConflictError for a stream that cannot be matched.
 */
export async function previewStream(options: PreviewOptions): Promise<StreamPreview> {
  const { open, streamId, shape, addresses, head, maxBytes } = options
  const { chain, source } = open
  const ending = new AbortController()
  const signal = AbortSignal.any([options.signal, ending.signal])
  const tokens: TokenReader = {
    ...options.tokens,
    read: (contracts, since) => options.tokens.read(contracts, since, signal),
  }
  const streams = createChainStreams({ chainId: chain.id })
  streams.add({ place: { ...nowhere, streamId }, shape, addresses, changes: [] })
  const { logs } = streams.needs()
  const confirmedTo = shape.definition.confirmedOnly ? head : head - BigInt(chain.confirmations)

  /** Bodies of the first webhook of a block, one per part. */
  async function bodiesOf(header: Header): Promise<string[]> {
    const blocks = await readBlocks({ source, headers: [header], wanted: () => (logs ? everyLog : undefined), signal })
    const [webhooks] = await matchBlocks({ streams, blocks, chainId: chain.id, tokens, live: false, maxBytes })
    return webhooks!.map(({ body }) => (header.number <= confirmedTo ? confirmedBody(body) : body))
  }

  const tally = createTally(chain.id)
  let at = head
  try {
    const from = head - BigInt(options.blocks) + 1n
    const headers = await unlessAborted(source.headers(from > 0n ? from : 0n, head, signal), signal)
    if (headers.length === 0)
      throw new HistoryLaggingError(`the node of ${chain.name} does not have block ${head} at the moment`)
    const waiting: { header: Header; bodies: Promise<string[]> }[] = []
    const readOn = () => {
      while (waiting.length < readsInFlight && headers.length > 0) {
        const header = headers.pop()!
        const bodies = unlessAborted(bodiesOf(header), signal)
        // Each is awaited below, except those after a failed one, whose errors are irrelevant.
        bodies.catch(() => {})
        waiting.push({ header, bodies })
      }
    }
    for (readOn(); waiting.length > 0; readOn()) {
      const { header, bodies } = waiting.shift()!
      at = header.number
      tally.add(at, await bodies)
    }
    return tally.preview(undefined)
  } catch (error) {
    const cut = cutBy(error, at, options.signal)
    if (tally.blocks() > 0) return tally.preview(cut)
    if (cut.reason === 'stream') throw new ConflictError(cut.message, { cause: error })
    throw new UnavailableError(`${cut.message}; retry`, { cause: error })
  } finally {
    ending.abort()
  }
}

/** The place of a stream that is not stored: every block is matched. */
const nowhere = { partition: 0, fromBlock: 0n, nextBlock: 0n, headFrom: 0n }

function cutBy(error: unknown, block: bigint, time: AbortSignal): PreviewCut {
  if (time.aborted) return { reason: 'time', message: `the time for a preview ended before block ${block} was read` }
  if (error instanceof UnmatchableError)
    return { reason: 'stream', message: `the stream would be paused at block ${block}: ${shownReason(error.cause)}` }
  return { reason: 'node', message: `block ${block} cannot be read: ${shownReason(error)}` }
}
