import type { Database } from '../../db/database.ts'
import type { Clock } from './clock.ts'
import { loadDue, loadFirst, type QueuedWebhook, withIndexes } from './loadWebhooks.ts'
import { deliveryName, type Lane, type Retries, type Source } from './source.ts'

export type LoaderOptions = {
  db: Database
  clock: Clock
  settings: { bufferBytes: number; maxConcurrencyPerStream: number }
  /** The source holds something to send. */
  onLoaded(source: Source): void
}

/** Fills sources that are low from the store, many with one statement, within a bound of bytes for all. */
export type Loader = {
  /** Asks for more where there may be more. */
  want(source: Source): void
  /** Loads what was asked for. False: there was nothing to load. */
  load(): Promise<boolean>
  /** Bodies are no longer in memory. */
  free(bytes: number): void
  bufferedBytes(): number
}

/** Sources that one statement fills. */
const mostTogether = 500
/** Of one load, so that a few big bodies do not come all at once. */
const mostBytesTogether = 16_777_216

export function createLoader({ db, clock, settings, onLoaded }: LoaderOptions): Loader {
  const wanted = new Set<Source>()
  let buffered = 0

  /** Above the bound only what has nothing left gets something, and only one each. */
  function limitOf(source: Source): number {
    const full = buffered >= settings.bufferBytes
    if (source.kind === 'retries') return full ? 1 : settings.maxConcurrencyPerStream
    if (full) return source.busy || source.buffer.length > 0 ? 0 : 1
    return source.window - source.buffer.length
  }

  function take<S extends Source>(kind: S['kind']): S[] {
    const taken: S[] = []
    for (const source of wanted) {
      if (taken.length >= mostTogether) break
      if (source.kind !== kind) continue
      if (source.stream.target?.status !== 'active' || !source.more) wanted.delete(source)
      else if (!source.loading && limitOf(source) > 0) {
        wanted.delete(source)
        source.loading = true
        taken.push(source as S)
      }
    }
    return taken
  }

  function keep(source: Source, webhooks: readonly QueuedWebhook[]): void {
    for (const webhook of webhooks) {
      buffered += webhook.body.length
      source.buffer.push(webhook)
    }
  }

  async function loadLanes(lanes: readonly Lane[]): Promise<void> {
    const asked = lanes.map((lane) => ({
      ...lane.stream,
      chainId: lane.chainId,
      after: lane.after,
      limit: limitOf(lane),
    }))
    // What comes while this is read may be missed by it: whoever tells of it sets `more` again.
    for (const lane of lanes) lane.more = false
    const loaded = await withIndexes(db, (tx) => loadFirst(tx, asked, mostBytesTogether))
    lanes.forEach((lane, i) => {
      // Emptied meanwhile: its stream stopped, and it begins anew when it is resumed.
      if (lane.after !== asked[i]!.after) return
      const webhooks = loaded[i]!
      lane.after = webhooks.at(-1)?.position ?? lane.after
      // As many as were asked for, or as much: there may be more.
      const characters = webhooks.reduce((sum, webhook) => sum + webhook.body.length, 0)
      if (webhooks.length === asked[i]!.limit || characters * 4 >= mostBytesTogether / lanes.length) lane.more = true
      keep(lane, webhooks)
    })
  }

  async function loadRetries(sources: readonly Retries[]): Promise<void> {
    const asked = sources.map((source) => ({ ...source.stream, limit: limitOf(source) + source.held.size }))
    for (const source of sources) source.more = false
    const asOf = clock()
    const due = await withIndexes(db, (tx) => loadDue(tx, asked, new Date(asOf)))
    sources.forEach((source, i) => {
      const { webhooks, nextDueAt } = due[i]!
      // One that was settled meanwhile may come first.
      const times = [nextDueAt?.getTime(), source.nextDueAt].filter((at) => at !== undefined && at > asOf)
      source.nextDueAt = times.length > 0 ? Math.min(...(times as number[])) : undefined
      const fresh = webhooks.filter((webhook) => !source.held.has(deliveryName(webhook)))
      for (const webhook of fresh) source.held.add(deliveryName(webhook))
      if (webhooks.length >= asked[i]!.limit) source.more = true
      keep(source, fresh)
    })
  }

  async function loading<S extends Source>(
    sources: S[],
    work: (sources: readonly S[]) => Promise<void>,
  ): Promise<void> {
    if (sources.length === 0) return
    try {
      await work(sources)
    } catch (error) {
      for (const source of sources) {
        source.more = true
        wanted.add(source)
      }
      throw error
    } finally {
      for (const source of sources) source.loading = false
    }
    for (const source of sources) {
      onLoaded(source)
      if (source.more && source.buffer.length === 0) wanted.add(source)
    }
  }

  return {
    want(source) {
      if (source.more) wanted.add(source)
    },
    async load() {
      const [lanes, retries] = [take<Lane>('lane'), take<Retries>('retries')]
      await Promise.all([loading(lanes, loadLanes), loading(retries, loadRetries)])
      return lanes.length + retries.length > 0
    },
    free(bytes) {
      buffered -= bytes
    },
    bufferedBytes: () => buffered,
  }
}
