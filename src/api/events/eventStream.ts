import type { Metrics } from '../../metrics/metrics.ts'
import type { AnswerStream } from '../http/answer.ts'
import type { Feed } from './createFeeds.ts'
import type { FeedPlace } from './place.ts'
import type { FeedEvent } from './readStep.ts'

/** Interval of comments without an event, so that proxies keep the connection open. */
export const heartbeatMs = 15_000

/** A listener that reads nothing for this long is disconnected. */
export const stallMs = 60_000

/** Most sent blocks to remember, so that a listener gets an event when one is undone: more than a reorg undoes. */
const mostKnown = 4_096

export type EventStreamOptions = {
  feed: Feed
  /** A place with another identity belongs to a removed feed; empty: nothing is known of the feed yet. */
  identity: string
  place: FeedPlace
  /**
   * The block at which the listener began or resumed. It may know blocks up to this one, from earlier events or from
   * pages.
   */
  startBlock: bigint | null
  sign(place: FeedPlace, identity: string): string
  /** Aborted when the server stops. */
  signal: AbortSignal
  metrics: Pick<Metrics, 'eventListeners' | 'eventsSent' | 'eventListenersCut'>
  /** Whether the listener may continue: its key may have been revoked. */
  isAllowed(): Promise<boolean>
  /** Called once when the listener has disconnected. */
  onEnd(): void
  heartbeatMs?: number
  stallMs?: number
}

/**
 * The events of a feed as a body. New events are read only after the client has taken the previous ones, so slow
 * clients cost no memory. They are disconnected after `stallMs`.
 */
export function eventStream(options: EventStreamOptions): AnswerStream {
  const { feed, startBlock, metrics, onEnd } = options
  const pauseMs = options.heartbeatMs ?? heartbeatMs
  const disconnect = new AbortController()
  const ended = AbortSignal.any([options.signal, disconnect.signal])
  const known = createKnownBlocks(startBlock)
  let { place, identity } = options
  let seen: Feed['state']
  let sentAt = performance.now()
  let stalled: NodeJS.Timeout | undefined
  let isOver = false

  function end(): void {
    if (isOver) return
    isOver = true
    clearTimeout(stalled)
    disconnect.abort()
    feed.unsubscribe()
    onEnd()
  }

  const idOf = (at: FeedPlace) => `id: ${options.sign(at, identity)}\n`

  function write(event: FeedEvent): string {
    if (!known.take(event)) return ''
    metrics.eventsSent.inc({ kind: event.reverted ? 'reverted' : 'block' })
    return `${idOf(event.place)}data: ${dataOf(event)}\n\n`
  }

  /** The next text for the listener; undefined: its subject was removed. */
  async function next(): Promise<string | undefined> {
    while (!ended.aborted) {
      const { state } = feed
      if (identity === '') identity = state?.identity ?? ''
      if (state !== undefined && state.identity !== identity) return undefined
      const waitMs = sentAt + pauseMs - performance.now()
      // The id lets a reconnecting listener continue from here.
      if (waitMs <= 0) return `: \n${idOf(place)}\n`
      if (state === seen) {
        await feed.changed(state, waitMs, ended)
        continue
      }
      const step = await feed.step(place)
      place = step.place
      if (!step.more) seen = state
      const text = step.events.map(write).join('')
      if (text !== '') return text
    }
    return undefined
  }

  return {
    isLive: true,
    discard: end,
    open: () =>
      new ReadableStream<Uint8Array>(
        {
          start(controller) {
            const labels = { of: feed.name.of }
            metrics.eventListeners.inc(labels)
            const stop = () => {
              metrics.eventListeners.dec(labels)
              if (isOver) return
              end()
              controller.close()
            }
            if (ended.aborted) return stop()
            ended.addEventListener('abort', stop, { once: true })
            controller.enqueue(Buffer.from(`retry: ${reconnectMs}\n${idOf(place)}\n`))
          },
          async pull(controller) {
            clearTimeout(stalled)
            const text = await next().catch((error: unknown) => {
              end()
              throw error
            })
            const goesOn = text !== undefined && (await options.isAllowed())
            if (isOver) return
            if (!goesOn) {
              end()
              return controller.close()
            }
            sentAt = performance.now()
            controller.enqueue(Buffer.from(text))
            stalled = setTimeout(() => {
              metrics.eventListenersCut.inc()
              end()
              controller.error(new Error('the listener takes nothing'))
            }, options.stallMs ?? stallMs).unref()
          },
          cancel: end,
        },
        { highWaterMark: 0 },
      ),
  }
}

/** Clients reconnect after this time. */
const reconnectMs = 2_000

/** Blocks that the listener may know: it gets revert events only for these. */
function createKnownBlocks(startBlock: bigint | null) {
  const hashes = new Set<string>()
  return {
    /** Whether the listener gets the event. */
    take({ block: { number, hash }, reverted }: FeedEvent): boolean {
      if (reverted) return hashes.delete(hash) || (startBlock !== null && number <= startBlock)
      hashes.add(hash)
      if (hashes.size > mostKnown) hashes.delete(hashes.values().next().value!)
      return true
    },
  }
}

function dataOf(event: FeedEvent): string {
  const { block, version, reverted } = event
  const named = { block: String(block.number), hash: block.hash, version, reverted }
  if (reverted) return JSON.stringify({ ...named, transfers: [] })
  return JSON.stringify({ ...named, transfers: event.transfers, ...(event.more ? { more: true } : {}) })
}
