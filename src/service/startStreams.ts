import type { EvmChain } from '../chain/evm/chains.ts'
import type { Database } from '../db/database.ts'
import { createSpamFilter } from '../nft/spam/createSpamFilter.ts'
import { createStreamDemand } from '../stream/definition/createStreamDemand.ts'
import { streamChannel } from '../stream/definition/streamChange.ts'
import { testOutcome } from '../stream/delivery/attempt/sendTestWebhook.ts'
import type { WebhookSettings } from '../stream/delivery/webhookSettings.ts'
import type { StreamDemand } from '../stream/demand.ts'
import { readStreamHistory } from '../stream/follow/readStreamHistory.ts'
import type { Leases } from '../sync/leases/lease.ts'
import type { OpenChains } from '../sync/openChains.ts'
import type { Log } from '../util/log.ts'
import type { Waker } from '../util/wait.ts'
import type { WorkPriority } from '../util/workPriority.ts'
import { openAtHead, readLinkedHead } from './openAtHead.ts'
import type { Webhooks } from './startWebhooks.ts'

/** Streams whose history one process reads at once. */
const concurrentStreams = 4
const sliceMs = 10_000

/** Starts the loop that reads the history of streams, and wakes it and the followers when a stream changes. Ends with the signal. */
export async function startStreams(options: {
  db: Database
  workPriority: WorkPriority
  chains: OpenChains
  leases: Leases
  settings: Pick<WebhookSettings, 'maxQueuedHistory' | 'maxBytes'>
  wakers: { follow: Waker; history: Waker }
  log: Log
  undo: (() => Promise<void>)[]
  signal: AbortSignal
}): Promise<Promise<void>[]> {
  const { db, workPriority, chains, leases, settings, wakers, log, undo, signal } = options
  const changed = () => {
    wakers.follow.wake()
    wakers.history.wake()
  }
  undo.push(await db.listen(streamChannel, changed))
  return [
    readStreamHistory({
      db,
      spamFilter: createSpamFilter(db),
      workPriority,
      chains,
      leases,
      settings: { concurrentStreams, sliceMs, maxAhead: settings.maxQueuedHistory, maxBytes: settings.maxBytes },
      log,
      waker: wakers.history,
      onComplete: () => wakers.follow.wake(),
      signal,
    }),
  ]
}

/** How long a client waits for a chain that does not answer. Opening the chain continues, for the next request. */
const headMs = 5_000

/** The part of the API that creates and changes streams. */
export function openStreamDemand(options: {
  db: Database
  reads: Database
  chains: readonly EvmChain[]
  openChains: OpenChains
  sendTest: Webhooks['sendTest']
  settings: Pick<WebhookSettings, 'secretOverlapMs'>
}): StreamDemand {
  const { db, reads, chains, openChains, sendTest, settings } = options
  return createStreamDemand({
    db,
    reads,
    chains,
    sendTest: async (stream) => testOutcome(await sendTest(stream)),
    secretOverlapMs: settings.secretOverlapMs,
    head: async (chainId) => (await openAtHead(openChains, chainId, AbortSignal.timeout(headMs))).head,
    linkedHead: (chainId) => readLinkedHead(openChains, chainId, AbortSignal.timeout(headMs)),
  })
}
