import type { Claims } from './claims.ts'
import type { Way } from './deliveryEndpoint.ts'
import { type Bounds, handOver } from './handOver.ts'
import type { SendQueue } from './sendQueue.ts'
import { hunger, type SendQueueKind } from './sendQueueState.ts'
import type { Loaded, Queue, Requested } from './webhookReader.ts'

export type LoaderOptions = {
  queue: Queue
  claims: Claims<SendQueue>
  settings: { bufferBytes: number; maxConcurrencyPerStream: number }
  /** There is space in memory for send queues that need rows. */
  onCapacity(): void
}

/**
 * Reads webhooks for send queues that have few left: one statement for many send queues, within a common byte limit.
 */
export type Loader = {
  /** Registers a send queue that needs rows. */
  want(sendQueue: SendQueue): void
  /** Reads for registered send queues, as far as there is space. False: it read for none. */
  load(): Promise<boolean>
  /** A body is no longer in memory. */
  free(sendQueue: SendQueue, bytes: number): void
  bufferedBytes(): number
}

/** Most send queues per statement. */
const mostTogether = 500
/** Most bytes of bodies per load, so that large bodies do not arrive all at once. */
const mostBytesTogether = 16_777_216

export function createLoader({ queue, claims, settings, onCapacity }: LoaderOptions): Loader {
  /** Half of the memory for each kind, so that retries leave space for first attempts. */
  const mostBytes = settings.bufferBytes / 2
  const wanted: Record<Way, Set<SendQueue>> = { first: new Set(), again: new Set() }
  const buffered: Record<Way, number> = { first: 0, again: 0 }

  function capacityOf({ kind, state }: SendQueue): number {
    if (kind === 'retries') return settings.maxConcurrencyPerStream - state.loaded.length
    // If hanging first attempts fill the memory, an empty send queue still gets one webhook.
    if (kind === 'first' && buffered.first >= mostBytes) return hunger(state) === 3 ? 1 : 0
    return state.window - state.loaded.length
  }

  function bytesFor(way: Way): number {
    const capacity = Math.min(mostBytesTogether, Math.floor(mostBytes - buffered[way]))
    return way === 'first' ? Math.max(mostBytesTogether / 16, capacity) : capacity
  }

  function take(way: Way): SendQueue[] {
    const taken: SendQueue[] = []
    if (bytesFor(way) <= 0) return taken
    for (const sendQueue of wanted[way]) {
      if (taken.length >= mostTogether) break
      const isHungry = hunger(sendQueue.state) > 0
      if (isHungry && capacityOf(sendQueue) <= 0) continue
      // A send queue registers again when it needs rows.
      wanted[way].delete(sendQueue)
      if (isHungry) taken.push(sendQueue)
    }
    return taken
  }

  function requestedOf(sendQueue: SendQueue): Requested & Bounds {
    const { kind, stream, state, held } = sendQueue
    // The first rows may be retries that this process already has, which are skipped: so as many more are read, and one
    // for a probe.
    const capacity = capacityOf(sendQueue)
    const limit = capacity + (kind === 'retries' ? held + 1 : 0)
    const { partition, streamId } = stream
    return { partition, streamId, chainId: sendQueue.chainId, after: state.after, limit, capacity }
  }

  async function read(kind: SendQueueKind, sendQueues: readonly SendQueue[], maxBytes: number): Promise<void> {
    if (sendQueues.length === 0) return
    const requested = sendQueues.map(requestedOf)
    for (const sendQueue of sendQueues) sendQueue.change({ type: 'read' })
    let loaded: Loaded[]
    try {
      loaded = await queue[kind](requested, maxBytes)
    } catch (error) {
      for (const sendQueue of sendQueues) sendQueue.change({ type: 'read failed' })
      throw error
    }
    sendQueues.forEach((sendQueue, i) => {
      for (const { body } of handOver(sendQueue, loaded[i]!, requested[i]!, claims))
        buffered[sendQueue.way] += body.length
    })
  }

  return {
    want(sendQueue) {
      wanted[sendQueue.way].add(sendQueue)
    },
    load: () =>
      claims.reading(async () => {
        const [first, again] = [take('first'), take('again')]
        const replays = again.filter(({ kind }) => kind === 'replays')
        const retries = again.filter(({ kind }) => kind === 'retries')
        const share = Math.ceil(bytesFor('again') / (replays.length > 0 && retries.length > 0 ? 2 : 1))
        const ends = await Promise.allSettled([
          read('first', first, bytesFor('first')),
          read('replays', replays, share),
          read('retries', retries, share),
        ])
        for (const end of ends) if (end.status === 'rejected') throw end.reason
        return first.length + again.length > 0
      }),
    free({ way }, bytes) {
      const wasFull = buffered[way] >= mostBytes
      buffered[way] -= bytes
      if (wasFull && buffered[way] < mostBytes && wanted[way].size > 0) onCapacity()
    },
    bufferedBytes: () => buffered.first + buffered.again,
  }
}
