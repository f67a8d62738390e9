import { createLru } from '../../util/createLru.ts'
import { TooManyRequestsError, UnavailableError } from '../../util/errors.ts'

/** Shares the work of this process among API keys: by what requests cost, not by how many they are. */
export type Scheduler = {
  /**
   * Runs a task as soon as the limits allow it. Throws TooManyRequestsError if the key has too many requests waiting, or if its own requests kept the
   * task waiting too long, and UnavailableError if those of other keys did.
   */
  run<T>(owner: TaskOwner, task: () => Promise<T>): Promise<T>
}

/** `operation`: names tasks that cost about the same; `firstMs`: what one is estimated to cost before any was measured. */
export type TaskOwner = { keyId: bigint; operation: string; firstMs?: number | undefined }

/** A task that is estimated to cost more, in milliseconds, is long. It never delays short ones. */
const longMs = 10

/** Most milliseconds of estimated work that a key has in progress in short tasks; one task always may run. */
const shortMsOfKey = 10

/** Long tasks in progress in all; a key has one, or all of them if it is alone. */
const mostLong = 4

/** A key is alone after no other key had a task for this long, in milliseconds. */
const aloneAfterMs = 10_000

/** Tasks in progress in all. */
const mostTasks = 64

/** Tasks of one key that may wait. */
const mostWaiting = 1_000

/** The longest wait of a task, in milliseconds. */
const mostWaitMs = 10_000

/** The estimate for an operation that never ran, in milliseconds. */
const firstEstimateMs = 2

/** How much of each measured cost goes into the next estimate. */
const estimateWeight = 1 / 4

/** Keys without tasks whose estimates are remembered. */
const mostIdleKeys = 10_000

type Lane = 'short' | 'long'

type Waiting = { owner: KeyState; costMs: number; start: () => void }

/** What the scheduler knows of one key. */
type KeyState = {
  /** Estimates by operation, in milliseconds. */
  estimates: Map<string, number>
  /** Work that the key got, in milliseconds. Of several keys, the one with the least goes next. */
  servedMs: number
  running: { short: number; long: number; shortMs: number }
  /** In the order in which they came. */
  waiting: Record<Lane, Set<Waiting>>
}

/**
 * Start-time fair queueing (Goyal, Vin and Cheng 1996) over keys. The cost of a task is its share of the time while it was in progress: with
 * n tasks in progress each gets 1/n. So the work in progress of a key adds up to the time of one of its requests. The limit on it lets more requests
 * run at once until they slow each other down.
 */
export function createScheduler({ longestWaitMs = mostWaitMs }: { longestWaitMs?: number } = {}): Scheduler {
  const active = new Map<bigint, KeyState>()
  const idle = createLru<bigint, KeyState>(mostIdleKeys)
  /** Estimates over all keys, for a key that runs an operation for the first time. */
  const common = new Map<string, number>()
  const running = { short: 0, long: 0 }
  /** `servedMs` of the key whose task started last: a key that had no tasks begins there, and not with what it did not use. */
  let clockMs = 0
  /** The time that each task in progress got so far, and when it was last counted. */
  let shareMs = 0
  let countedAt = 0
  let waitingTasks = 0
  let isDispatching = false
  /** The key of the last task, and when it was another key's turn before. */
  let lastKey: bigint | undefined
  let otherAt = Number.NEGATIVE_INFINITY

  function noteKey(keyId: bigint): void {
    if (lastKey !== undefined && lastKey !== keyId) otherAt = performance.now()
    lastKey = keyId
  }

  const isAlone = () => active.size === 1 && performance.now() - otherAt > aloneAfterMs

  function count(): void {
    const now = performance.now()
    const tasks = running.short + running.long
    if (tasks > 0) shareMs += (now - countedAt) / tasks
    countedAt = now
  }

  function activate(keyId: bigint): KeyState {
    const known = active.get(keyId)
    if (known) return known
    const state: KeyState = idle.get(keyId) ?? {
      estimates: new Map(),
      servedMs: 0,
      running: { short: 0, long: 0, shortMs: 0 },
      waiting: { short: new Set(), long: new Set() },
    }
    idle.delete(keyId)
    state.servedMs = Math.max(state.servedMs, clockMs)
    active.set(keyId, state)
    return state
  }

  function deactivate(keyId: bigint, key: KeyState): void {
    const { running, waiting } = key
    if (running.short + running.long + waiting.short.size + waiting.long.size > 0) return
    idle.set(keyId, key)
    active.delete(keyId)
  }

  function mayRun(key: KeyState, lane: Lane, costMs: number): boolean {
    if (running.short + running.long >= mostTasks) return false
    if (lane === 'long') return running.long < mostLong && (key.running.long === 0 || isAlone())
    return key.running.short === 0 || key.running.shortMs + costMs <= shortMsOfKey
  }

  /** The first waiting task that may run of the key that got the least. */
  function next(): { lane: Lane; task: Waiting } | undefined {
    let best: { lane: Lane; task: Waiting } | undefined
    for (const key of active.values())
      for (const lane of ['short', 'long'] as const) {
        const [task] = key.waiting[lane]
        if (task && mayRun(key, lane, task.costMs) && (!best || key.servedMs < best.task.owner.servedMs))
          best = { lane, task }
      }
    return best
  }

  function remove(key: KeyState, lane: Lane, task: Waiting): void {
    key.waiting[lane].delete(task)
    waitingTasks--
  }

  /** Starts waiting tasks one by one, and lets the event loop answer what needs no turn in between. */
  function dispatch(): void {
    if (isDispatching || waitingTasks === 0) return
    isDispatching = true
    setImmediate(() => {
      isDispatching = false
      const found = next()
      if (!found) return
      remove(found.task.owner, found.lane, found.task)
      found.task.start()
      dispatch()
    })
  }

  function begin(key: KeyState, lane: Lane, costMs: number): void {
    count()
    running[lane]++
    key.running[lane]++
    if (lane === 'short') key.running.shortMs += costMs
    clockMs = Math.max(clockMs, key.servedMs)
    key.servedMs += costMs
  }

  function end(key: KeyState, lane: Lane, costMs: number): void {
    count()
    running[lane]--
    key.running[lane]--
    if (lane === 'short') key.running.shortMs -= costMs
    if (key.running.short === 0) key.running.shortMs = 0
  }

  function learn(estimates: Map<string, number>, operation: string, measuredMs: number): void {
    const before = estimates.get(operation)
    estimates.set(operation, before === undefined ? measuredMs : before + (measuredMs - before) * estimateWeight)
  }

  /** Waits until the task was started. */
  function wait(key: KeyState, lane: Lane, costMs: number): Promise<void> {
    const { short, long } = key.waiting
    if (short.size + long.size >= mostWaiting) throw tooMany(key, `this key has ${mostWaiting} requests waiting`)
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { owner: key, costMs, start }
      const timer = setTimeout(() => {
        remove(key, lane, waiting)
        const isOwn = key.running[lane] > 0
        const waited = `for ${longestWaitMs / 1_000} s`
        reject(
          isOwn
            ? tooMany(key, `this request waited ${waited} behind others of the same key`)
            : new UnavailableError(`this request waited ${waited} behind those of other keys; send it again later`),
        )
      }, longestWaitMs)
      function start(): void {
        clearTimeout(timer)
        begin(key, lane, costMs)
        resolve()
      }
      key.waiting[lane].add(waiting)
      waitingTasks++
      dispatch()
    })
  }

  return {
    async run({ keyId, operation, firstMs = firstEstimateMs }, task) {
      noteKey(keyId)
      const key = activate(keyId)
      const costMs = key.estimates.get(operation) ?? common.get(operation) ?? firstMs
      const lane: Lane = costMs > longMs ? 'long' : 'short'
      if (!isDispatching && key.waiting[lane].size === 0 && mayRun(key, lane, costMs)) begin(key, lane, costMs)
      else
        try {
          await wait(key, lane, costMs)
        } catch (error) {
          deactivate(keyId, key)
          throw error
        }
      const startedAt = shareMs
      try {
        return await task()
      } finally {
        end(key, lane, costMs)
        const measuredMs = shareMs - startedAt
        key.servedMs += measuredMs - costMs
        learn(key.estimates, operation, measuredMs)
        learn(common, operation, measuredMs)
        deactivate(keyId, key)
        dispatch()
      }
    },
  }
}

function tooMany({ waiting }: KeyState, reason: string): TooManyRequestsError {
  let ms = 0
  for (const { costMs } of [...waiting.short, ...waiting.long]) ms += costMs
  const retryAfterSeconds = Math.max(1, Math.ceil(ms / 1_000))
  return new TooManyRequestsError(`${reason}; send it again in ${retryAfterSeconds} s`, { retryAfterSeconds })
}
