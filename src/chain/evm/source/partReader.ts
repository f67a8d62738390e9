import { createLimiter } from '../rpc/limiter.ts'
import type { RpcLog } from '../rpc/rpc.ts'
import { RpcError } from '../rpc/rpcError.ts'
import { type ControlBlocks, createControlBlocks } from './controlBlocks.ts'
import { type LogWidth, logsPerAnswer } from './logWidth.ts'
import type { Inconsistency, LogAnswer, RangeLogs } from './requestLogs.ts'
import type { LogRange } from './source.ts'

/** Reads a range that is wider than the endpoints accept, in parts of the accepted width, many at once. */
export type PartReader = {
  /**
   * Logs of a prefix of the range: as much as is read within a second, or has the wanted number of logs. Undefined if even the first parts had no
   * consistent answer: the caller reads them one by one.
   */
  read(range: LogRange, width: LogWidth, signal?: AbortSignal): Promise<PartLogs | undefined>
  /** Remembers blocks with logs of an address and topics. An endpoint that returns none for them lacks their logs, or returns no logs at all. */
  remember: ControlBlocks['remember']
}

/** `endpoints`: the one that returned the logs of each block. */
export type PartLogs = RangeLogs & { misnumbered: ReadonlySet<number>; endpoints: ReadonlyMap<number, string> }

export type PartReaderOptions = {
  request(
    ranges: readonly LogRange[],
    avoid: ReadonlySet<string>,
    signal?: AbortSignal,
  ): Promise<LogAnswer | Inconsistency>
  endpoints: number
  /** An answer was invalid. */
  onInconsistency(inconsistency: Inconsistency, range: LogRange): void
  /** An endpoint returned no logs although there are some. */
  onOmission(endpoint: string, range: LogRange): void
  /** Whether each empty answer of the endpoint is requested again. */
  isDistrusted(endpoint: string): boolean
}

/** No further piece is requested after this time. */
const longestMs = 1_000
/** Concurrent HTTP requests for parts on one chain. Fewer when the node gets slow. */
const mostAtOnce = 16
/** Pieces of one HTTP request. The block and one control add a fifth of calls. */
const mostParts = 10
/** A request that takes longer has too many parts. If others took a third of its time, too many are in progress. */
const slowMs = 5_000
/** Before any logs are known, at most this many times the blocks already read are requested. */
const growth = 16

/** `logs` undefined: not answered, or unconfirmed. */
type Batch = { parts: LogRange[]; endpoint?: string; logs?: RpcLog[]; toHash?: RangeLogs['toHash'] }
type Recheck = { batch: Batch; part: LogRange }

export function createPartReader(options: PartReaderOptions): PartReader {
  const { request, endpoints, onInconsistency, onOmission, isDistrusted } = options
  const limiter = createLimiter({ max: mostAtOnce })
  const controls = createControlBlocks()
  /** Pieces per HTTP request that the node handles. */
  let partsTogether = 2
  /** The shortest recent time of a request. */
  let usualMs = Number.POSITIVE_INFINITY

  /** Records the time of a request. Returns whether too many are in progress. */
  function noteTime(ms: number): boolean {
    usualMs = Math.min(ms, usualMs * 1.05)
    if (ms < slowMs / 2) partsTogether = Math.min(mostParts, partsTogether * 2)
    if (ms < slowMs) return false
    if (ms > 3 * usualMs && limiter.limit() > 1) return true
    partsTogether = Math.max(1, partsTogether >> 1)
    return false
  }

  return {
    remember: controls.remember,
    async read(range, width, signal) {
      const started = performance.now()
      const batches: Batch[] = []
      const running = new Set<Promise<void>>()
      const rechecks: Recheck[] = []
      const misnumbered = new Set<number>()
      const answered = new Map<number, string>()
      let next = range.from
      let stopped = false
      const read = { blocks: 0, logs: 0 }
      const { width: blocks, avoid } = width.next()
      const firstBlocks = BigInt(blocks) * BigInt(growth)

      /** Blocks that may be in progress, to get about the wanted number of logs. */
      function capacity(): bigint {
        const wanted = read.logs > 0 ? (logsPerAnswer * read.blocks) / read.logs : width.wanted()
        const most = wanted === undefined ? firstBlocks + BigInt(read.blocks * growth) : BigInt(Math.ceil(wanted))
        return range.from + most - next
      }

      function nextBatch(): Batch {
        const fits = Math.max(1, Math.min(partsTogether, Number(capacity() / BigInt(blocks))))
        const parts: LogRange[] = []
        for (; parts.length < fits && next <= range.to; next += BigInt(blocks)) {
          const to = next + BigInt(blocks) - 1n
          parts.push({ ...range, from: next, to: to < range.to ? to : range.to })
        }
        return { parts }
      }

      /** An empty answer to confirm. None of blocks after `to`: the last block of a request marks the end of its batch. */
      function takeRecheck(to: bigint): Recheck | undefined {
        const place = rechecks.findIndex(({ part }) => part.to <= to)
        return place < 0 ? undefined : rechecks.splice(place, 1)[0]
      }

      /** Reads a batch; its `logs` stay undefined if they are unconfirmed. */
      async function readBatch(batch: Batch): Promise<void> {
        const inconsistent = new Set<string>()
        for (let attempt = 0; attempt <= endpoints && batch.logs === undefined; attempt++) {
          const last = batch.parts.at(-1)!
          const recheck = takeRecheck(last.to)
          const control = recheck?.part ?? controls.nearest(range, last.to)
          const requested = control ? [...batch.parts, control] : batch.parts
          const answer = await request(requested, around(avoid, inconsistent, endpoints), signal).catch(
            (error: unknown) => {
              if (recheck) rechecks.push(recheck)
              throw error
            },
          )
          if ('inconsistency' in answer) {
            if (recheck) rechecks.push(recheck)
            onInconsistency(answer, { ...range, from: batch.parts[0]!.from, to: last.to })
            inconsistent.add(answer.endpoint)
            continue
          }
          const { endpoint } = answer
          if (answer.logs.some((logs) => logs instanceof Error)) {
            if (recheck) rechecks.push(recheck)
            return reject(answer)
          }
          const logs = answer.logs as RpcLog[][]
          const checked = control && logs.pop()
          if (recheck && checked!.length > 0) omitted(recheck.batch, recheck.part)
          if (!recheck && control) controls.note(control, checked!.length > 0)
          if (!recheck && control && checked!.length === 0) {
            onOmission(endpoint, control)
            inconsistent.add(endpoint)
            continue
          }
          const isChecked = await confirm(batch, logs, answer, control !== undefined && !recheck)
          if (!isChecked) return
          for (const number of answer.misnumbered) misnumbered.add(number)
          const found = logs.flat()
          for (const { blockNumber } of found) {
            const number = Number(blockNumber)
            if (!answered.has(number)) answered.set(number, endpoint)
          }
          width.answered(blocks, endpoint, Math.ceil(found.length / batch.parts.length))
          controls.remember(range, found)
          Object.assign(batch, { logs: found, toHash: answer.toHash, endpoint })
          read.blocks += blocks * batch.parts.length
          read.logs += found.length
        }
      }

      /**
       * Confirms empty answers: each by another endpoint if there is one, or if this one returned wrong ones before. Otherwise a later request
       * confirms one of them, unless the answer had the logs of the control. False if the batch stays unconfirmed.
       */
      async function confirm(
        batch: Batch,
        logs: RpcLog[][],
        answer: LogAnswer,
        isControlled: boolean,
      ): Promise<boolean> {
        const empty = batch.parts.filter((_, i) => logs[i]!.length === 0)
        if (empty.length === 0) return true
        const { endpoint } = answer
        if (endpoints - avoid.size <= 1 && !isDistrusted(endpoint)) {
          if (!isControlled) rechecks.push({ batch, part: empty[Math.floor(Math.random() * empty.length)]! })
          return true
        }
        const again = await request(empty, around(avoid, new Set([endpoint]), endpoints), signal)
        if ('inconsistency' in again) {
          onInconsistency(again, empty[0]!)
          return false
        }
        for (const [i, part] of empty.entries()) {
          const found = again.logs[i]!
          if (found instanceof Error) return false
          if (found.length === 0) continue
          onOmission(endpoint, part)
          logs[batch.parts.indexOf(part)] = found
          for (const { blockNumber } of found) answered.set(Number(blockNumber), again.endpoint)
        }
        for (const number of again.misnumbered) (answer.misnumbered as Set<number>).add(number)
        return true
      }

      function omitted(batch: Batch, part: LogRange): void {
        onOmission(batch.endpoint!, part)
        delete batch.logs
        stopped = true
      }

      /** The caller requests less, one by one. */
      function reject(answer: LogAnswer): void {
        stopped = true
        const error = answer.logs.find((logs) => logs instanceof Error)
        if (error instanceof RpcError) width.rejected(blocks, error.endpoint, error.rejection)
      }

      async function run(batch: Batch, release: (outcome: 'ok' | 'overloaded') => void): Promise<void> {
        const startedAt = performance.now()
        try {
          await readBatch(batch)
        } catch {
          // Whatever the error is, the caller gets it again where it matters. The request may have been too large.
          partsTogether = Math.max(1, partsTogether >> 1)
          stopped = true
        }
        if (!batch.logs) stopped = true
        release(noteTime(performance.now() - startedAt) ? 'overloaded' : 'ok')
      }

      while (!stopped && next <= range.to && read.logs < logsPerAnswer && performance.now() - started < longestMs) {
        if (capacity() <= 0n && running.size > 0) {
          await Promise.race(running)
          continue
        }
        const permit = await limiter.acquire(signal)
        if (stopped) {
          permit.release('neutral')
          break
        }
        const batch = nextBatch()
        batches.push(batch)
        const done = run(batch, permit.release).finally(() => running.delete(done))
        running.add(done)
      }
      await Promise.all(running)
      signal?.throwIfAborted()
      await settleRechecks()
      const end = batches.findIndex((batch) => !batch.logs)
      const whole = end === -1 ? batches : batches.slice(0, end)
      const last = whole.at(-1)
      if (!last) return undefined
      return {
        logs: whole.flatMap((batch) => batch.logs!),
        to: last.parts.at(-1)!.to,
        toHash: last.toHash!,
        misnumbered,
        endpoints: answered,
      }

      /** Empty answers that no later request confirmed. */
      async function settleRechecks(): Promise<void> {
        const remaining = rechecks.splice(0)
        if (remaining.length === 0) return
        const answer = await request(
          remaining.map(({ part }) => part),
          avoid,
          signal,
        ).catch(() => undefined)
        signal?.throwIfAborted()
        for (const [i, { batch, part }] of remaining.entries()) {
          const logs = !answer || 'inconsistency' in answer ? undefined : answer.logs[i]
          if (logs === undefined || logs instanceof Error) delete batch.logs
          else if (logs.length > 0) omitted(batch, part)
        }
      }
    },
  }
}

/** The endpoints to avoid: those that reject and those in doubt. If no other is left, one in doubt is better than one that rejects. */
export function around(
  rejecting: ReadonlySet<string>,
  inconsistent: ReadonlySet<string>,
  endpoints: number,
): ReadonlySet<string> {
  const both = new Set([...rejecting, ...inconsistent])
  return both.size < endpoints ? both : rejecting
}
