/** Work that somebody waits for: answers to requests, webhooks, blocks at the head. `elsewhere`: in another process of this database. */
export type UrgentWork = 'requests' | 'webhooks' | 'head' | 'elsewhere'

/** Deferrable work. */
export type BackgroundWork = 'history' | 'stream_history' | 'coins' | 'documents' | 'wallets' | 'holders' | 'ranks'

/**
 * Gives urgent work of this process priority over background work. Background work checks in before each task. While urgent work is late, its share
 * of the time shrinks with each delay and grows back afterwards. The share is never zero, and each kind of background work has its own, so that no
 * kind waits forever or for another.
 */
export type WorkPriority = {
  /** Reports that urgent work was late. Each component defines what late means for it. */
  late(work: UrgentWork): void
  /** Requests were so late that webhooks yield to them too. */
  requestsVeryLate(): void
  /** How long webhooks pause after they kept this thread busy for `busyMs` milliseconds; 0 while requests are not very late. */
  webhookPauseMs(busyMs: number): number
  /**
   * Runs a background task: at once if nothing urgent is late. An aborted signal ends the wait, and the task starts; it checks the signal itself.
   * `of`: the beneficiary, if a kind works for several. They take turns, and a new one runs its first seconds before the others, so that small work
   * ends while large work continues.
   */
  schedule<T>(work: BackgroundWork, signal: AbortSignal, task: () => Promise<T>, of?: bigint): Promise<T>
  /** Size of the next task: `whole`, and down to `least` while urgent work is late, as a large task delays others for long. */
  size(whole: number, least: number): number
  /** Whether background work yields now. */
  isYielding(): boolean
}

export type WorkPriorityOptions = {
  onLate?: (work: UrgentWork) => void
  /** A background task waited for this time. */
  onWaited?: (work: BackgroundWork, ms: number) => void
}

/** The least share of the time for background work, and for webhooks. */
const leastShare = 1 / 8
const leastWebhookShare = 1 / 4

/** Least time between two halvings of the share: concurrent reports count as one delay. */
const cutEveryMs = 250

/** The share stays for this time after a delay, and then grows by half each second: from the least share to all within seven seconds. */
const holdMs = 1_000
const growth = 1.5

/** The longest pause after a task, however long it took: on a busy machine a small one may take a second. */
const longestPauseMs = 5_000

/** How often waiting tasks check whether urgent work is still late. */
const lookEveryMs = 500

/** A task that takes longer, as its node is slow, no longer blocks the next one. */
const longestTaskMs = 5_000

/** Head start of a new beneficiary, as time of its tasks. */
const headStartMs = 5_000

/** A beneficiary without tasks for this time is new again. */
const forgottenMs = 60_000

type Waiting = { of: bigint; go: () => void }

/**
 * Time used by one beneficiary: the rest of its head start, the time after that (initially the minimum of the others), and its last request or task.
 */
type Had = { headMs: number; ms: number; at: number }

/** The tasks of one kind. */
type Queue = { freeAt: number; waiting: Set<Waiting>; timer: NodeJS.Timeout | undefined; had: Map<bigint, Had> }

/** The share of the time for work that yields to other work. `cut`: the other work was late. */
type Share = { value(): number; cut(): void }

function createShare(least: number): Share {
  /** The share after the last cut, and its time. */
  let current = 1
  let cutAt = Number.NEGATIVE_INFINITY
  let lateAt = Number.NEGATIVE_INFINITY

  function value(): number {
    const quietMs = performance.now() - lateAt - holdMs
    return quietMs <= 0 ? current : Math.min(1, current * growth ** (quietMs / 1_000))
  }

  return {
    value,
    cut() {
      const now = performance.now()
      if (now - cutAt >= cutEveryMs) {
        current = Math.max(least, value() / 2)
        cutAt = now
      }
      lateAt = now
    },
  }
}

export function createWorkPriority({ onLate, onWaited }: WorkPriorityOptions = {}): WorkPriority {
  const queues = new Map<BackgroundWork, Queue>()
  const background = createShare(leastShare)
  const webhooks = createShare(leastWebhookShare)
  const share = background.value

  function queueOf(work: BackgroundWork): Queue {
    let queue = queues.get(work)
    if (!queue) {
      queue = { freeAt: 0, waiting: new Set(), timer: undefined, had: new Map() }
      queues.set(work, queue)
    }
    return queue
  }

  /** Records that a beneficiary requests a task. */
  function request({ had, waiting }: Queue, of: bigint): void {
    const now = performance.now()
    const requesting = new Set(Array.from(waiting, (one) => one.of))
    for (const [other, { at }] of had) if (now - at > forgottenMs && !requesting.has(other)) had.delete(other)
    const least = Array.from(had.values()).reduce((ms, other) => Math.min(ms, other.ms), Number.POSITIVE_INFINITY)
    const known = had.get(of) ?? { headMs: headStartMs, ms: had.size > 0 ? least : 0 }
    had.set(of, { ...known, at: now })
  }

  /** The task of the beneficiary with the least time, those with a head start first; of several, the first. */
  function nextOf({ waiting, had }: Queue): Waiting | undefined {
    function timeOf({ of }: Waiting): number {
      const { headMs, ms } = had.get(of) ?? { headMs: 0, ms: 0 }
      return headMs > 0 ? -headMs : ms
    }
    let next: Waiting | undefined
    for (const one of waiting) if (!next || timeOf(one) < timeOf(next)) next = one
    return next
  }

  /** Starts waiting tasks: one, or all if nothing urgent is late any more. */
  function serve(queue: Queue): void {
    clearTimeout(queue.timer)
    queue.timer = undefined
    for (let next = nextOf(queue); next; next = nextOf(queue)) {
      const wait = queue.freeAt - performance.now()
      if (wait > 0 && share() < 1) {
        queue.timer = setTimeout(() => serve(queue), Math.min(wait, lookEveryMs))
        return
      }
      next.go()
    }
  }

  async function waitIn(queue: Queue, of: bigint, signal: AbortSignal): Promise<void> {
    request(queue, of)
    await new Promise<void>((resolve) => {
      function go(): void {
        queue.waiting.delete(one)
        signal.removeEventListener('abort', go)
        // Before the task itself runs, so that the next one waits for it.
        if (!signal.aborted) queue.freeAt = performance.now() + longestTaskMs
        resolve()
      }
      const one = { of, go }
      queue.waiting.add(one)
      signal.addEventListener('abort', go, { once: true })
      serve(queue)
    })
    if (queue.waiting.size === 0) clearTimeout(queue.timer)
  }

  return {
    late(work) {
      onLate?.(work)
      background.cut()
    },
    requestsVeryLate: webhooks.cut,
    webhookPauseMs: (busyMs) => busyMs * (1 / webhooks.value() - 1),
    async schedule(work, signal, task, of = 0n) {
      const queue = queueOf(work)
      const requested = performance.now()
      if (share() < 1 && !signal.aborted) {
        await waitIn(queue, of, signal)
        onWaited?.(work, performance.now() - requested)
      }
      const began = performance.now()
      const before = queue.had.get(of)
      if (before) before.at = began
      queue.freeAt = began + longestTaskMs
      try {
        return await task()
      } finally {
        const now = performance.now()
        const had = queue.had.get(of)
        if (had) {
          const remainingMs = had.headMs - (now - began)
          had.headMs = Math.max(0, remainingMs)
          had.ms -= Math.min(0, remainingMs)
          had.at = now
        }
        queue.freeAt = now + Math.min(longestPauseMs, (now - began) * (1 / share() - 1))
        serve(queue)
      }
    },
    size: (whole, least) => Math.max(least, Math.floor(whole * share())),
    isYielding: () => share() < 1,
  }
}
