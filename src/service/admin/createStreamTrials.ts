import type { StreamTrials } from '../../api/admin/streamTrials.ts'
import type { Sql } from '../../db/database.ts'
import { createSpamFilter } from '../../nft/spam/createSpamFilter.ts'
import {
  addressesOf,
  checkWebhookUrl,
  chosenChain,
  matchingOf,
  type StreamableChain,
} from '../../stream/definition/checkStream.ts'
import { packAddresses, readPacked } from '../../stream/definition/streamAddresses.ts'
import { shapeOf } from '../../stream/definition/streamChange.ts'
import { readKnownStream, type StreamRow } from '../../stream/definition/streamStore.ts'
import { webhookHeadersOf } from '../../stream/definition/webhookHeaders.ts'
import { createTokenReaders } from '../../stream/payload/tokenReader.ts'
import { previewStream } from '../../stream/preview/previewStream.ts'
import { mostPreviewBlocks } from '../../stream/query.ts'
import { readPausedChains } from '../../sync/leases/lease.ts'
import type { OpenChains } from '../../sync/openChains.ts'
import { ConflictError, TooManyRequestsError } from '../../util/errors.ts'
import { hexToBuffer, quantity } from '../../util/hex.ts'
import { openAtHead } from '../openAtHead.ts'
import type { Webhooks } from '../startWebhooks.ts'

export type StreamTrialsOptions = {
  db: Sql
  chains: readonly StreamableChain[]
  openChains: OpenChains
  sendTest: Webhooks['sendTest']
  settings: { maxBytes: number }
  /** Creates the signal that ends a preview starting now. */
  deadline?: () => AbortSignal
}

/** Concurrent previews of one process, as followers of chains use the same nodes. */
const mostAtOnce = 2
/** Time limit of a preview, in milliseconds. A client waits for 10 s; the rest is for writing the answer. */
const readingMs = 9_000
/** When a rejected client may retry: about the time of a preview at a node that answers. */
const retryAfterSeconds = 2
/** Most addresses that a previewed stream may watch: a million would block this process for half a second. */
const mostAddresses = 100_000

export function createStreamTrials(options: StreamTrialsOptions): StreamTrials {
  const { db, chains, openChains, sendTest, settings, deadline = () => AbortSignal.timeout(readingMs) } = options
  const readerOf = createTokenReaders(createSpamFilter(db))
  let underWay = 0

  async function addressesWith(texts: readonly string[], stream: StreamRow | undefined): Promise<Buffer | null> {
    const given = addressesOf(texts, 'addresses').map(hexToBuffer)
    const total = given.length + Number(stream?.addresses ?? 0n)
    if (total > mostAddresses)
      throw new ConflictError(`the stream would watch ${total} addresses; a preview takes at most ${mostAddresses}`)
    const stored = stream ? await readPacked(db, stream) : null
    return packAddresses(stored ? [...given, stored] : given)
  }

  return {
    async preview(body) {
      const { chainIds, definition } = matchingOf(body, chains)
      const chainId = chosenChain(body.chainId, chainIds)
      if (body.webhookUrl) checkWebhookUrl(body.webhookUrl)
      const stream = body.streamId ? await readKnownStream(db, body.streamId.toLowerCase()) : undefined
      webhookHeadersOf(body.headers, stream?.headers)
      const addresses = await addressesWith(body.addresses ?? [], stream)
      if ((await readPausedChains(db)).has(chainId)) {
        const id = quantity(chainId)
        throw new ConflictError(`chain ${id} is paused: resume it first, with POST /admin/chains/${id}/resume`)
      }
      if (underWay >= mostAtOnce)
        throw new TooManyRequestsError(`${mostAtOnce} previews are in progress, the maximum: retry soon`, {
          retryAfterSeconds,
        })
      underWay += 1
      try {
        const signal = deadline()
        const { open, head } = await openAtHead(openChains, chainId, signal)
        return await previewStream({
          open,
          tokens: readerOf(open),
          streamId: stream?.id ?? '',
          shape: shapeOf({ tag: body.tag ?? '', chainIds, definition }),
          addresses,
          head,
          blocks: body.blocks ?? mostPreviewBlocks,
          maxBytes: settings.maxBytes,
          signal,
        })
      } finally {
        underWay -= 1
      }
    },

    async test(id) {
      const stream = await readKnownStream(db, id)
      const { webhookId, at, ms, outcome } = await sendTest(stream)
      const isDelivered = outcome.status === 'delivered'
      return {
        streamId: id,
        webhookUrl: stream.webhookUrl,
        webhookId,
        deliveryStatus: isDelivered ? 'success' : 'failed',
        statusCode: outcome.code ?? null,
        latencyMs: ms,
        response: outcome.answer?.toString() ?? '',
        errorMessage: isDelivered ? '' : outcome.error,
        createdAt: at.toISOString(),
      }
    },
  }
}
