import type { Database } from '../../db/database.ts'
import { smallest } from '../../util/extremes.ts'
import type { Claims } from './claims.ts'
import type { Clock } from './clock.ts'
import type { Way } from './endpoint.ts'
import { type Loaded, loadDue, loadFirst, loadReplays, type QueuedWebhook, withIndexes } from './loadWebhooks.ts'
import type { Lane, Retries, Source } from './source.ts'

export type LoaderOptions = {
  db: Database
  clock: Clock
  claims: Claims<Source>
  settings: { bufferBytes: number; maxConcurrencyPerStream: number }
  /** The source holds something to send. */
  onLoaded(source: Source): void
  /** There is room in memory again for what was asked for. */
  onRoom(): void
}

/** Fills sources that are low from the store, many with one statement, within a bound of bytes for all. */
export type Loader = {
  /** Asks for more where there may be more. */
  want(source: Source): void
  /** Loads what was asked for. False: there was nothing to load. */
  load(): Promise<boolean>
  /** A webhook that was sent past its lane is owed still: the lane finds it again. */
  lookAgain(lane: Lane, position: bigint): void
  /** Nothing of it stays in memory but what is under way; it is loaded anew when it is sent again. */
  empty(source: Source): void
  /** A body is no longer in memory. */
  free(source: Source, bytes: number): void
  bufferedBytes(): number
}

/** Sources that one statement fills. */
const mostTogether = 500
/** Of one load, so that a few big bodies do not come all at once. */
const mostBytesTogether = 16_777_216

export function createLoader({ db, clock, claims, settings, onLoaded, onRoom }: LoaderOptions): Loader {
  /** Half of the memory for each way, so that retries leave room for first attempts. */
  const mostBytes = settings.bufferBytes / 2
  const wanted: Record<Way, Set<Source>> = { first: new Set(), again: new Set() }
  const buffered: Record<Way, number> = { first: 0, again: 0 }

  function limitOf(source: Source): number {
    if (source.kind === 'retries') return settings.maxConcurrencyPerStream - source.buffer.length
    // First attempts that hang at one address keep nobody from having one in memory.
    if (source.way === 'first' && buffered.first >= mostBytes)
      return source.inFlight > 0 || source.buffer.length > 0 ? 0 : 1
    return source.window - source.buffer.length
  }

  function bytesFor(way: Way): number {
    const room = Math.min(mostBytesTogether, Math.floor(mostBytes - buffered[way]))
    return way === 'first' ? Math.max(mostBytesTogether / 16, room) : room
  }

  function take(way: Way): Source[] {
    const taken: Source[] = []
    if (bytesFor(way) <= 0) return taken
    for (const source of wanted[way]) {
      if (taken.length >= mostTogether) break
      if (source.stream.target?.status !== 'active' || !source.more) wanted[way].delete(source)
      else if (!source.loading && limitOf(source) > 0) {
        wanted[way].delete(source)
        source.loading = true
        // What comes while this is read may be missed by it: whoever tells of it sets `more` again.
        source.more = false
        taken.push(source)
      }
    }
    return taken
  }

  /** Keeps what was read, but for attempts that this process already has; nothing where the source was emptied meanwhile. */
  function keep(source: Source, { webhooks, cut }: Loaded, asked: { emptied: number; limit: number }): QueuedWebhook[] {
    const stale = source.emptied !== asked.emptied
    if (stale || cut || webhooks.length >= asked.limit) source.more = true
    if (stale) return []
    if (source.kind === 'lane') source.after = webhooks.at(-1)?.position ?? source.after
    const kept = webhooks.filter((webhook) => claims.take(source, webhook))
    for (const { body } of kept) buffered[source.way] += body.length
    source.buffer = source.buffer.concat(kept)
    return kept
  }

  const demandOf = (lane: Lane) => ({ ...lane.stream, after: lane.after, limit: limitOf(lane), emptied: lane.emptied })

  async function loadLanes(lanes: readonly Lane[], maxBytes: number): Promise<void> {
    const asked = lanes.map((lane) => ({ ...demandOf(lane), chainId: lane.chainId! }))
    const loaded = await withIndexes(db, (tx) => loadFirst(tx, asked, maxBytes))
    lanes.forEach((lane, i) => {
      const kept = keep(lane, loaded[i]!, asked[i]!)
      if (!kept.some(({ retraction }) => retraction)) return
      // What it takes back may still be in memory to be sent again, as it was read before.
      empty(lane.stream.retries)
      empty(lane.stream.replays)
    })
  }

  async function loadReplayLanes(lanes: readonly Lane[], maxBytes: number): Promise<void> {
    const asked = lanes.map(demandOf)
    const loaded = await withIndexes(db, (tx) => loadReplays(tx, asked, maxBytes))
    lanes.forEach((lane, i) => {
      keep(lane, loaded[i]!, asked[i]!)
    })
  }

  async function loadRetries(sources: readonly Retries[], maxBytes: number): Promise<void> {
    // Rows of what is under way, or not settled yet, may come first; they are not taken.
    const asked = sources.map((source) => ({
      ...source.stream,
      limit: limitOf(source) + source.held,
      emptied: source.emptied,
    }))
    const asOf = clock()
    const due = await withIndexes(db, (tx) => loadDue(tx, asked, { now: new Date(asOf), maxBytes }))
    sources.forEach((source, i) => {
      const { nextDueAt } = due[i]!
      // One that was settled meanwhile may come first.
      const times = [nextDueAt?.getTime(), source.nextDueAt].filter((at): at is number => at !== undefined && at > asOf)
      source.nextDueAt = times.length > 0 ? smallest(times) : undefined
      keep(source, due[i]!, asked[i]!)
    })
  }

  async function loading<S extends Source>(
    sources: S[],
    work: (sources: readonly S[], maxBytes: number) => Promise<void>,
    maxBytes: number,
  ): Promise<void> {
    if (sources.length === 0) return
    try {
      await work(sources, maxBytes)
    } catch (error) {
      for (const source of sources) {
        source.more = true
        wanted[source.way].add(source)
      }
      throw error
    } finally {
      for (const source of sources) source.loading = false
    }
    for (const source of sources) {
      onLoaded(source)
      if (source.more && source.buffer.length === 0) wanted[source.way].add(source)
    }
  }

  function lookFrom(lane: Lane, position: bigint): void {
    if (lane.way === 'again') lane.after = 0n
    else if (lane.after >= position) lane.after = position - 1n
  }

  function empty(source: Source): void {
    source.emptied += 1
    source.more = true
    wanted[source.way].add(source)
    if (source.kind === 'lane') for (const { position } of source.buffer) lookFrom(source, position)
    for (const webhook of source.buffer.splice(0)) {
      claims.move(webhook, 'forget')
      free(source, webhook.body.length)
    }
  }

  function free({ way }: Source, bytes: number): void {
    const wasFull = buffered[way] >= mostBytes
    buffered[way] -= bytes
    if (wasFull && buffered[way] < mostBytes && wanted[way].size > 0) onRoom()
  }

  return {
    want(source) {
      if (source.more) wanted[source.way].add(source)
    },
    load: () =>
      claims.reading(async () => {
        const [first, again] = [take('first'), take('again')]
        const replays = again.filter((source) => source.kind === 'lane')
        const retries = again.filter((source) => source.kind === 'retries')
        const share = Math.ceil(bytesFor('again') / (replays.length > 0 && retries.length > 0 ? 2 : 1))
        const ends = await Promise.allSettled([
          loading(first as Lane[], loadLanes, bytesFor('first')),
          loading(replays, loadReplayLanes, share),
          loading(retries, loadRetries, share),
        ])
        for (const end of ends) if (end.status === 'rejected') throw end.reason
        return first.length + again.length > 0
      }),
    lookAgain(lane, position) {
      lookFrom(lane, position)
      // What is being read now may show it as it was before.
      lane.emptied += 1
      lane.more = true
      wanted[lane.way].add(lane)
    },
    empty,
    free,
    bufferedBytes: () => buffered.first + buffered.again,
  }
}
