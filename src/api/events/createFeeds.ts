import type { ChangeQuery } from '../../nft/changeQuery.ts'
import type { TransferQuery } from '../../nft/transferQuery.ts'
import { CollectionMovedError } from '../../util/errors.ts'
import type { Log } from '../../util/log.ts'
import { mapAtOnce } from '../../util/mapAtOnce.ts'
import { createWaker } from '../../util/wait.ts'
import type { FeedName, FeedState, ReadFeed } from './feed.ts'
import type { FeedPlace } from './place.ts'
import { type FeedStep, readStep } from './readStep.ts'

/** A feed with listeners. */
export type Feed = {
  readonly name: FeedName
  /** Its last read state. */
  readonly state: FeedState | undefined
  /** Events after a place, read once for all listeners at that place. */
  step(place: FeedPlace): Promise<FeedStep>
  /** Waits until the state differs from `seen`, `ms` have passed, or the signal is aborted. */
  changed(seen: FeedState | undefined, ms: number, signal: AbortSignal): Promise<void>
  unsubscribe(): void
}

export type Feeds = {
  /** Aborted when the server stops. */
  readonly signal: AbortSignal
  /** Adds a listener to a feed, once its state is read. */
  join(name: FeedName): Promise<Feed>
}

export type FeedsOptions = {
  changes: ChangeQuery
  transfers: TransferQuery
  read: ReadFeed
  signal: AbortSignal
  log: Log
}

/**
 * Poll interval for changes without a notification: wallets are written after transfers, and notifications can be
 * missed.
 */
const pollMs = 1_000

/** Most feeds read in parallel. */
const readsAtOnce = 8

type Shared = {
  name: FeedName
  listeners: number
  state: FeedState | undefined
  steps: Map<string, Promise<FeedStep>>
  wake: Set<() => void>
}

/** Reads the state of feeds with listeners after each change, once for all listeners of a feed. */
export function createFeeds(options: FeedsOptions): Feeds {
  const { changes, read, signal, log } = options
  const feeds = new Map<string, Shared>()
  const waker = createWaker()
  let running = false

  async function refresh(feed: Shared): Promise<void> {
    const state = await read(feed.name)
    if (state?.mark === feed.state?.mark) return
    feed.state = state
    feed.steps.clear()
    for (const wake of feed.wake) wake()
  }

  /** Runs while there are listeners. */
  async function run(): Promise<void> {
    const stop = await changes.listen(waker.wake).catch(() => undefined)
    let failing = false
    while (feeds.size > 0 && !signal.aborted) {
      await waker.wait(pollMs, signal)
      try {
        await mapAtOnce([...feeds.values()], readsAtOnce, refresh)
        failing = false
      } catch (err) {
        if (!failing) log.warn({ err }, 'event feeds not read')
        failing = true
        await waker.wait(pollMs, signal)
      }
    }
    await stop?.()
  }

  function start(): void {
    if (running) return
    running = true
    void run().finally(() => {
      running = false
      if (feeds.size > 0 && !signal.aborted) start()
    })
  }

  return {
    signal,
    async join(name) {
      const key = `${name.of} ${name.chainId} ${name.address}`
      let shared = feeds.get(key)
      if (!shared) {
        shared = { name, listeners: 0, state: undefined, steps: new Map(), wake: new Set() }
        feeds.set(key, shared)
      }
      shared.listeners++
      const feed = feedOf(shared, options, () => {
        if (--shared.listeners === 0 && feeds.get(key) === shared) feeds.delete(key)
        if (feeds.size === 0) waker.wake()
      })
      try {
        await refresh(shared)
      } catch (error) {
        feed.unsubscribe()
        throw error
      }
      start()
      return feed
    },
  }
}

function feedOf(shared: Shared, parts: Pick<FeedsOptions, 'changes' | 'transfers'>, unsubscribe: () => void): Feed {
  let isUnsubscribed = false
  return {
    name: shared.name,
    get state() {
      return shared.state
    },
    async step(place) {
      const { state, steps } = shared
      if (!state) return { events: [], place, more: false }
      const key = `${place.after.join()} ${place.block?.hash}`
      let step = steps.get(key)
      if (!step) {
        step = readStep(parts, state, place)
        steps.set(key, step)
        // The chain moved meanwhile: retry with the next state.
        step.catch(() => steps.delete(key))
      }
      return step.catch((error: unknown) => {
        if (error instanceof CollectionMovedError) return { events: [], place, more: false }
        throw error
      })
    },
    async changed(seen, ms, signal) {
      if (shared.state !== seen || signal.aborted) return
      const waiting = createWaker()
      shared.wake.add(waiting.wake)
      await waiting.wait(ms, signal)
      shared.wake.delete(waiting.wake)
    },
    unsubscribe() {
      if (isUnsubscribed) return
      isUnsubscribed = true
      unsubscribe()
    },
  }
}
