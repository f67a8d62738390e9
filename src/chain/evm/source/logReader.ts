import type { Metrics } from '../../../metrics/metrics.ts'
import { MintmarkError } from '../../../util/errors.ts'
import { smaller } from '../../../util/extremes.ts'
import type { Log } from '../../../util/log.ts'
import { unlessAborted } from '../../../util/wait.ts'
import type { EvmChain } from '../chains.ts'
import type { Header, Rpc } from '../rpc/rpc.ts'
import type { RpcError } from '../rpc/rpcError.ts'
import type { LogNumbering } from './logNumbering.ts'
import { type LogWidth, logsPerAnswer, mostGrowth } from './logWidth.ts'
import { type LogWidths, subjectOf } from './logWidths.ts'
import { around, createPartReader } from './partReader.ts'
import { createSilentCaps, type DecodedRange, type Inconsistency, type RangeLogs, requestLogs } from './requestLogs.ts'
import type { LogDecoder, LogRange } from './source.ts'
import { InconsistentResponseError, isNarrowable, LogRangeError } from './sourceError.ts'

export type LogReader = {
  /**
   * Logs of `from`…`to` or of a shorter prefix, each checked against the request. An empty answer is confirmed by a wider one, by another one, or as
   * in `createPartReader`. `decoder`: only if nothing but the decoded logs is needed; not used for logs that are read in parts.
   */
  read<T>(range: LogRange, signal?: AbortSignal, decoder?: LogDecoder<T>): Promise<DecodedRange<T>>
}

export type LogReaderOptions = {
  rpc: Rpc
  chain: EvmChain
  widths: LogWidths
  metrics: Metrics
  log: Log
  /** The logs of one block that every node rejects, from its receipts, with their indexes in the block. Throws if the receipts do not decide. */
  settleOne(range: LogRange, signal?: AbortSignal): Promise<RangeLogs>
  /** The header that represents a number without a block; undefined if there is a block, or none can be shown. */
  absent(number: bigint, signal?: AbortSignal): Promise<Header | undefined>
  numbering: LogNumbering
  /** The last block up to which `complete` has nothing to check; negative: there is none. */
  lastSettled(signal?: AbortSignal): Promise<bigint>
  /** Starts to read the data that `complete` needs for a range. Never rejects. */
  foresee(range: LogRange, signal?: AbortSignal): Promise<void>
  /**
   * Returns a message if an answer of valid logs lacks some. May add logs to the answer: all logs of the blocks `settled`, with their indexes in
   * these. `isWhole`: blooms show that none is missing.
   */
  complete(range: LogRange, found: RangeLogs, signal?: AbortSignal): Promise<{ missing: string } | CompletedLogs>
}

export type CompletedLogs = { isWhole: boolean; settled: ReadonlySet<number> }

/** With so many times the blocks of a request left, the next ones may reach the end of the range. */
const soon = BigInt(4 * mostGrowth)

/** More logs are worth a request of their own if the range ends in blocks that cannot be decoded elsewhere. */
const worthOwnRequest = 1_000

/** An answer with more logs is decoded elsewhere. With fewer, many parts at once are faster, whose logs are parsed here. */
const worthDecoding = 2_000

/** An endpoint that returned a wrong empty answer is distrusted for this time. */
const distrustMs = 3_600_000

type Settled = { found: DecodedRange<unknown>; endpoint: string }

export function createLogReader(options: LogReaderOptions): LogReader {
  const { rpc, chain, widths, metrics, log, numbering, complete, foresee, lastSettled, settleOne } = options
  const asked = { ...options, caps: createSilentCaps() }
  /** When each endpoint last returned no logs although there are some. */
  const omittedAt = new Map<string, number>()

  function noteInconsistency(
    { inconsistency, kind, endpoint }: { inconsistency: string; kind: string; endpoint: string },
    range: LogRange,
  ) {
    metrics.rpcOmissions.inc({ chain: chain.name, kind })
    const { from, to } = range
    log.warn({ chain: chain.name, endpoint, kind, detail: inconsistency, from, to }, 'rpc response rejected')
    if (kind === 'wrong_log') rpc.judge(endpoint, 'eth_getLogs', inconsistency)
  }

  function noteOmission(endpoint: string, { from, to }: { from: bigint; to: bigint }) {
    metrics.rpcOmissions.inc({ chain: chain.name, kind: 'empty' })
    log.warn({ chain: chain.name, endpoint, from, to }, 'rpc response rejected: all logs of the range are missing')
    omittedAt.set(endpoint, performance.now())
  }

  const parts = createPartReader({
    request: (ranges, avoid, signal) => requestLogs(asked, ranges, avoid, signal),
    endpoints: rpc.endpoints,
    onInconsistency: (inconsistency: Inconsistency, range) => noteInconsistency(inconsistency, range),
    onOmission: noteOmission,
    isDistrusted: (endpoint) => performance.now() - (omittedAt.get(endpoint) ?? Number.NEGATIVE_INFINITY) < distrustMs,
  })

  /**
   * Requests logs until an answer passes every check; `to` is fixed. Throws the node's rejection, or InconsistentResponseError. `empty`: an empty
   * answer for these blocks, or for the first of them. `isUnsure`: this answer is empty too, and some of its blocks were in no other; only with
   * `mayBeUnsure`.
   */
  async function settle(
    range: LogRange,
    how: {
      avoid: ReadonlySet<string>
      empty?: Settled | undefined
      mayBeUnsure: boolean
      decoder: LogDecoder<unknown> | undefined
    },
    signal?: AbortSignal,
  ): Promise<Settled & { isUnsure: boolean }> {
    const { avoid, mayBeUnsure } = how
    let { decoder } = how
    const inconsistent = new Set<string>()
    let { empty } = how
    if (empty) inconsistent.add(empty.endpoint)
    let reason = ''
    const inconsistency = (
      inconsistency: Inconsistency | { inconsistency: string; kind: 'incomplete'; endpoint: string },
    ) => {
      noteInconsistency(inconsistency, range)
      reason = inconsistency.inconsistency
      inconsistent.add(inconsistency.endpoint)
    }
    for (let attempt = 0; attempt < rpc.endpoints + 2; attempt++) {
      const distrusted = around(avoid, inconsistent, rpc.endpoints)
      const answer = await requestLogs(asked, [range], distrusted, signal, decoder)
      if ('inconsistency' in answer) {
        inconsistency(answer)
        continue
      }
      const { endpoint, toHash, misnumbered, decoded } = answer
      const [logs] = answer.logs
      if (!logs || logs instanceof Error) throw logs
      if (decoded && !numbering.trusts(endpoint)) {
        // The numbering of another endpoint does not apply to this one. That is not an error and counts as no attempt.
        decoder = undefined
        attempt--
        continue
      }
      rpc.judge(endpoint, 'eth_getLogs', undefined)
      const found: DecodedRange<unknown> = { logs, to: range.to, toHash, decoded }
      const first = decoded?.first ?? logs[0]
      if (empty && first && BigInt(first.blockNumber) <= empty.found.to)
        noteOmission(empty.endpoint, { from: range.from, to: empty.found.to })
      const isSure = first !== undefined || empty?.found.to === range.to
      if (decoded) return { found, endpoint, isUnsure: false }
      if (!isSure && mayBeUnsure) return { found, endpoint, isUnsure: true }
      const completed = await complete(range, found, signal)
      if ('missing' in completed) {
        inconsistency({ inconsistency: completed.missing, kind: 'incomplete', endpoint })
        continue
      }
      if (!isSure && !completed.isWhole && found.logs.length === 0) {
        empty = { found, endpoint }
        inconsistent.add(endpoint)
        // A second answer confirms an empty one, and counts as no attempt.
        attempt--
        continue
      }
      const endpointOf = (block: number) => (completed.settled.has(block) ? undefined : endpoint)
      found.logs = await numbering.settle({ logs: found.logs, endpointOf, requested: range, misnumbered }, signal)
      return { found, endpoint, isUnsure: false }
    }
    throw new InconsistentResponseError({
      chain: chain.name,
      question: `eth_getLogs of blocks ${range.from} to ${range.to}`,
      reason,
    })
  }

  /** The logs of a block that all nodes reject. Throws the rejection if the block's receipts do not decide either. */
  async function settleRejected(range: LogRange, rejection: RpcError, signal?: AbortSignal): Promise<RangeLogs> {
    try {
      return await settleOne(range, signal)
    } catch (error) {
      if (!(error instanceof MintmarkError)) throw error
      const { to: block } = range
      const address = subjectOf(range)
      log.debug({ chain: chain.name, block, err: error }, 'receipts did not resolve a rejected block')
      throw new LogRangeError({ chain: chain.name, address, block, cause: rejection })
    }
  }

  /** The logs of a range that is wider than the endpoints accept; undefined if its first part must be read separately. */
  async function readParts(range: LogRange, width: LogWidth, signal?: AbortSignal): Promise<RangeLogs | undefined> {
    const read = await parts.read(range, width, signal)
    if (!read) return undefined
    const { misnumbered, endpoints, ...found } = read
    const requested = { ...range, to: found.to }
    const completed = await complete(requested, found, signal)
    if ('missing' in completed) return undefined
    const endpointOf = (block: number) => (completed.settled.has(block) ? undefined : endpoints.get(block))
    found.logs = await numbering.settle({ logs: found.logs, endpointOf, requested, misnumbered }, signal)
    return found
  }

  /** Whether a range takes several answers of the width, which an endpoint is known to accept as its maximum. */
  function needsParts(range: { from: bigint; to: bigint }, width: LogWidth): boolean {
    const { width: blocks, isCapped, isProven } = width.next()
    return isCapped && isProven && range.to - range.from >= BigInt(blocks)
  }

  /** Number of logs in so many blocks, by the last answer. */
  function expectedLogs(blocks: bigint, width: LogWidth): number {
    const wanted = width.wanted()
    return wanted === undefined ? 0 : (Number(blocks) * logsPerAnswer) / wanted
  }

  return {
    async read<T>(range: LogRange, signal?: AbortSignal, decoder?: LogDecoder<T>) {
      /** Logs up to this block may be decoded elsewhere; -1: none. */
      const settledTo = decoder && numbering.trustsSome() ? await lastSettled(signal) : -1n
      const width = widths.of(range)
      const decodable = smaller(BigInt(width.next().width), settledTo - range.from + 1n)
      if (expectedLogs(decodable, width) <= worthDecoding && needsParts(range, width)) {
        const found = await readParts(range, width, signal)
        if (found) return found
      }
      let narrowest = Number.POSITIVE_INFINITY
      const refusers = new Set<string>()
      /** An empty answer of the first blocks, to be confirmed by a wider one. */
      let empty: Settled | undefined
      for (;;) {
        const { width: blocks, avoid } = width.next()
        const most = BigInt(Math.min(blocks, narrowest))
        let to = range.from + most - 1n < range.to ? range.from + most - 1n : range.to
        // Without a decoder, many logs would block the main thread: the newest blocks are read separately.
        const isMixed = range.from <= settledTo && settledTo < to
        if (isMixed && expectedLogs(to - range.from, width) > worthOwnRequest) to = settledTo
        if (empty && to < empty.found.to) to = empty.found.to
        const requested = Number(to - range.from) + 1
        const trial = width.begin(requested)
        if (trial.wait) {
          await (signal ? unlessAborted(trial.wait, signal) : trial.wait)
          continue
        }
        const isNearEnd = range.to - to < BigInt(requested) * soon
        void foresee({ ...range, to: isNearEnd ? range.to : to }, signal)
        const started = performance.now()
        try {
          const settled = await settle(
            { ...range, to },
            {
              avoid: new Set([...avoid, ...refusers]),
              empty,
              mayBeUnsure: to < range.to,
              decoder: to <= settledTo ? decoder : undefined,
            },
            signal,
          )
          const { found, endpoint } = settled
          width.answered(requested, endpoint, found.decoded?.count ?? found.logs.length, performance.now() - started)
          trial.end()
          if (found.decoded) {
            parts.remember(range, [found.decoded.first, found.decoded.last])
            return found as DecodedRange<T>
          }
          if (!settled.isUnsure) return await readOn(range, found, width, signal)
          empty = settled
          if (needsParts(range, width)) {
            const read = await readParts(range, width, signal)
            if (read) return read
          }
          // Repeated once if no wider range can be requested.
          if (Math.min(width.next().width, narrowest) <= requested) narrowest = Math.min(narrowest, requested)
        } catch (error) {
          if (!isNarrowable(error, range)) throw error
          // Another backend or endpoint rejects what one returned: nothing can confirm it.
          if (to === empty?.found.to) empty = undefined
          if (requested === 1) {
            if (refusers.has(error.endpoint) || refusers.size + 1 >= rpc.endpoints)
              return await settleRejected({ ...range, to }, error, signal)
            refusers.add(error.endpoint)
          }
          const takes = width.rejected(requested, error.endpoint, error.rejection)
          // This endpoint was to be avoided, so no other is left, and its limit decides the range.
          if (avoid.has(error.endpoint) || refusers.has(error.endpoint)) narrowest = Math.min(narrowest, takes)
          log.debug(
            { chain: chain.name, endpoint: error.endpoint, blocks: requested, takes, detail: error.detail },
            'eth_getLogs range rejected',
          )
        } finally {
          trial.end()
        }
      }
    },
  }

  /** Adds the logs of the following blocks if the endpoints accept no wider range and the first answer had few logs. */
  async function readOn(range: LogRange, found: RangeLogs, width: LogWidth, signal?: AbortSignal): Promise<RangeLogs> {
    parts.remember(range, found.logs)
    const remaining = { ...range, from: found.to + 1n }
    if (remaining.from > remaining.to || found.logs.length >= logsPerAnswer || !needsParts(remaining, width))
      return found
    const more = await readParts(remaining, width, signal)
    if (!more) return found
    return { ...more, logs: found.logs.concat(more.logs) }
  }
}
