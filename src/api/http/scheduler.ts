import { createLru } from '../../util/createLru.ts'
import { TooManyRequestsError, UnavailableError } from '../../util/errors.ts'
import { ClientGoneError } from './errors.ts'

/** Shares this process among API keys by the cost of their requests, not by their number. */
export type Scheduler = {
  /**
   * Runs a task as soon as the limits allow it. Throws TooManyRequestsError if the key has too many waiting requests,
   * or if its own requests delayed the task too long. Throws UnavailableError if requests of other keys did. Throws
   * ClientGoneError instead of starting a task for a client that has gone.
   */
  run<T>(owner: TaskOwner, task: () => Promise<T>): Promise<T>
}

/** `operation`: groups tasks of similar cost; `firstMs`: estimated cost before any measurement. */
export type TaskOwner = {
  keyId: bigint
  operation: string
  firstMs?: number | undefined
  /** Whether the client closed its connection; omitted: never. */
  isGone?: (() => boolean) | undefined
}

/** A task with a higher estimate, in milliseconds, is long. Long tasks never delay short ones. */
const longMs = 10

/** Most estimated milliseconds of a key's running short tasks, beyond the first two. */
const shortMsOfKey = 10

/** A key may always run so many short tasks: one works in this process while the database works for the other. */
const leastShort = 2

/** Most running long tasks; a key may run one. */
const mostLong = 4

/**
 * One turn of the event loop starts tasks until their estimates reach this many milliseconds. A turn for each short
 * task would cost a page 15 % more of the main thread.
 */
const mostTurnMs = 4

/** Most running tasks. */
const mostTasks = 64

/** Most waiting tasks of a key. */
const mostWaiting = 1_000

/** The longest wait of a task, in milliseconds. */
const mostWaitMs = 10_000

/** The estimate for an operation that never ran, in milliseconds. */
const firstEstimateMs = 2

/** Weight of each measured cost in the next estimate. */
const estimateWeight = 1 / 4

/** Keys without tasks whose estimates are remembered. */
const mostIdleKeys = 10_000

type TaskKind = 'short' | 'long'

type Waiting = { owner: KeyState; costMs: number; start: () => void }

/** What the scheduler knows of one key. */
type KeyState = {
  /** Estimated cost by operation, in milliseconds. */
  estimates: Map<string, number>
  /** Cost of the key's work so far, in milliseconds. The key with the least runs next. */
  servedMs: number
  running: { short: number; long: number; shortMs: number }
  /** In order of arrival. */
  waiting: Record<TaskKind, Set<Waiting>>
}

/**
 * Start-time fair queueing (Goyal, Vin and Cheng 1996) over keys. With n running tasks, each task costs 1/n of the
 * elapsed time. So the costs of a key's running tasks add up to one request's time. The limit on it admits more
 * requests until they slow each other down.
 */
export function createScheduler({ longestWaitMs = mostWaitMs }: { longestWaitMs?: number } = {}): Scheduler {
  const active = new Map<bigint, KeyState>()
  const idle = createLru<bigint, KeyState>(mostIdleKeys)
  /** Estimates over all keys, for a key that runs an operation for the first time. */
  const common = new Map<string, number>()
  const running = { short: 0, long: 0 }
  /**
   * `servedMs` of the key whose task started last. A newly active key starts there, without credit for its idle time.
   */
  let clockMs = 0
  /** Time that each running task was charged so far, and when it was last counted. */
  let shareMs = 0
  let countedAt = 0
  let waitingTasks = 0
  let isDispatching = false

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

  function mayRun(key: KeyState, kind: TaskKind, costMs: number): boolean {
    if (running.short + running.long >= mostTasks) return false
    if (kind === 'long') return key.running.long === 0 && running.long < mostLong
    return key.running.short < leastShort || key.running.shortMs + costMs <= shortMsOfKey
  }

  /** The next waiting task that may run, of the key with the least served time. */
  function next(): { kind: TaskKind; task: Waiting } | undefined {
    let best: { kind: TaskKind; task: Waiting } | undefined
    for (const key of active.values())
      for (const kind of ['short', 'long'] as const) {
        const [task] = key.waiting[kind]
        if (task && mayRun(key, kind, task.costMs) && (!best || key.servedMs < best.task.owner.servedMs))
          best = { kind, task }
      }
    return best
  }

  function remove(key: KeyState, kind: TaskKind, task: Waiting): void {
    key.waiting[kind].delete(task)
    waitingTasks--
  }

  /** Starts waiting tasks in small groups, so the event loop can answer unscheduled requests in between. */
  function dispatch(): void {
    if (isDispatching || waitingTasks === 0) return
    isDispatching = true
    setImmediate(() => {
      isDispatching = false
      for (let startedMs = 0; startedMs < mostTurnMs; ) {
        const found = next()
        if (!found) return
        remove(found.task.owner, found.kind, found.task)
        found.task.start()
        startedMs += found.task.costMs
      }
      dispatch()
    })
  }

  function begin(key: KeyState, kind: TaskKind, costMs: number): void {
    count()
    running[kind]++
    key.running[kind]++
    if (kind === 'short') key.running.shortMs += costMs
    clockMs = Math.max(clockMs, key.servedMs)
    key.servedMs += costMs
  }

  function end(key: KeyState, kind: TaskKind, costMs: number): void {
    count()
    running[kind]--
    key.running[kind]--
    if (kind === 'short') key.running.shortMs -= costMs
    if (key.running.short === 0) key.running.shortMs = 0
  }

  function updateEstimate(estimates: Map<string, number>, operation: string, measuredMs: number): void {
    const before = estimates.get(operation)
    estimates.set(operation, before === undefined ? measuredMs : before + (measuredMs - before) * estimateWeight)
  }

  /** Waits until the task is started. */
  function wait(key: KeyState, kind: TaskKind, costMs: number, isGone: () => boolean): Promise<void> {
    const { short, long } = key.waiting
    if (short.size + long.size >= mostWaiting) throw tooMany(key, `this key has ${mostWaiting} requests waiting`)
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { owner: key, costMs, start }
      const timer = setTimeout(() => {
        remove(key, kind, waiting)
        const isOwn = key.running[kind] > 0
        const waited = `for ${longestWaitMs / 1_000} s`
        reject(
          isOwn
            ? tooMany(key, `this request waited ${waited} behind others of the same key`)
            : new UnavailableError(`this request waited ${waited} behind those of other keys; send it again later`),
        )
      }, longestWaitMs)
      function start(): void {
        clearTimeout(timer)
        if (isGone()) reject(new ClientGoneError('the client closed the connection'))
        else {
          begin(key, kind, costMs)
          resolve()
        }
      }
      key.waiting[kind].add(waiting)
      waitingTasks++
      dispatch()
    })
  }

  return {
    async run({ keyId, operation, firstMs = firstEstimateMs, isGone = () => false }, task) {
      // Also without a wait: a request may run many tasks one after another.
      if (isGone()) throw new ClientGoneError('the client closed the connection')
      const key = activate(keyId)
      const costMs = key.estimates.get(operation) ?? common.get(operation) ?? firstMs
      const kind: TaskKind = costMs > longMs ? 'long' : 'short'
      if (!isDispatching && key.waiting[kind].size === 0 && mayRun(key, kind, costMs)) begin(key, kind, costMs)
      else
        try {
          await wait(key, kind, costMs, isGone)
        } catch (error) {
          deactivate(keyId, key)
          throw error
        }
      const startedAt = shareMs
      try {
        return await task()
      } finally {
        end(key, kind, costMs)
        const measuredMs = shareMs - startedAt
        key.servedMs += measuredMs - costMs
        updateEstimate(key.estimates, operation, measuredMs)
        updateEstimate(common, operation, measuredMs)
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
