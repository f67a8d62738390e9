import { MintmarkError } from '../../../errors.ts'
import type { Log } from '../../../log.ts'
import type { Metrics } from '../../../metrics.ts'
import { type Hex, quantity } from '../../../util/hex.ts'
import type { EvmChain } from '../chains.ts'
import { parseHeader } from '../rpc/parseHeader.ts'
import type { Header, Rpc, RpcLog } from '../rpc/rpc.ts'
import { type FaultClass, RpcError } from '../rpc/rpcError.ts'
import type { LogNumbering } from './logNumbering.ts'
import type { LogWidths } from './logWidths.ts'
import { readLogs } from './readLogs.ts'
import type { LogRange } from './source.ts'
import { DoubtfulAnswerError, LogRangeError } from './sourceError.ts'

export type RangeLogs = { logs: RpcLog[]; to: bigint; toHash: Hex }

export type LogReader = {
  /** Logs of `from`…`to` or of a shorter prefix, each checked against the question. An empty answer is asked for twice. */
  read(range: LogRange, signal?: AbortSignal): Promise<RangeLogs>
}

export type LogReaderOptions = {
  rpc: Rpc
  chain: EvmChain
  widths: LogWidths
  metrics: Metrics
  log: Log
  /** The logs of one block whose logs every node refuses, from its receipts. Throws where the receipts do not settle it. */
  settleOne(range: LogRange, signal?: AbortSignal): Promise<RangeLogs>
  /** The header that stands for a number without a block; undefined where there is one, or where none can be shown. */
  absent(number: bigint, signal?: AbortSignal): Promise<Header | undefined>
  numbering: LogNumbering
  /** Says in words what an answer lacks, of which every log is right; undefined: nothing. May add logs to the answer. */
  complete(range: LogRange, found: RangeLogs, signal?: AbortSignal): Promise<string | undefined>
}

/** Faults that a narrower range can cure; an unknown one may be about the range as well. */
const curable: ReadonlySet<FaultClass> = new Set<FaultClass>([
  'range_cap',
  'result_cap',
  'response_size',
  'timeout',
  'unknown',
  'invalid_params',
])

/** Whether to ask for less. A node for which only this question is too heavy is asked for less whatever it said. */
function isCurable(error: RpcError): boolean {
  return error.heavy || curable.has(error.class)
}

type Asked =
  | { found: RangeLogs; misnumbered: ReadonlySet<number>; endpoint: string }
  | { doubt: string; kind: string; endpoint: string }

export function createLogReader(options: LogReaderOptions): LogReader {
  const { rpc, chain, widths, metrics, log, numbering, complete, settleOne, absent } = options

  /** Asks one backend for the logs and for the last block of the range, which shows whether that backend lags. */
  async function ask(range: LogRange, to: bigint, avoid: ReadonlySet<string>, signal?: AbortSignal): Promise<Asked> {
    const filter = {
      address: range.address,
      topics: range.topics,
      fromBlock: quantity(range.from),
      toBlock: quantity(to),
    }
    const misnumbered = new Set<number>()
    const { result, endpoint } = await rpc.together<unknown>(
      [
        { method: 'eth_getLogs', params: [filter] },
        { method: 'eth_getBlockByNumber', params: [quantity(to), false] },
      ],
      { avoid, ...(signal && { signal }) },
    )
    const [answer, block] = result
    if (answer instanceof Error) throw answer
    if (block instanceof Error && !(block instanceof RpcError && block.class === 'beyond_head')) throw block
    // Where the block is missing, this chain has no block of the number, or the backend lags.
    const header = parseHeader(block) ?? (await absent(to, signal))
    if (!header || header.number !== to) return { doubt: `block ${to} is not known`, kind: 'lag', endpoint }
    const { address, topics } = range
    const question = { address, topics, from: Number(range.from), to: Number(to) }
    const logs = readLogs(answer, question, (number) => misnumbered.add(number))
    if (typeof logs === 'string') return { doubt: logs, kind: 'wrong_log', endpoint }
    const found = { logs, to, toHash: header.hash }
    const last = found.logs.at(-1)
    if (last && Number(last.blockNumber) === Number(to) && last.blockHash !== header.hash)
      return { doubt: `logs of another block ${to}`, kind: 'wrong_log', endpoint }
    return { found, misnumbered, endpoint }
  }

  /** Asks until an answer passes every check; `to` is fixed. Throws the node's refusal, or DoubtfulAnswerError. */
  async function settle(range: LogRange, to: bigint, avoid: ReadonlySet<string>, signal?: AbortSignal) {
    const doubted = new Set(avoid)
    let reason = ''
    let emptyOnce: RangeLogs | undefined
    const doubt = (kind: string, words: string, endpoint: string) => {
      metrics.rpcOmissions.inc({ chain: chain.name, kind })
      log.warn({ chain: chain.name, endpoint, kind, words, from: range.from, to }, 'answer doubted')
      reason = words
      if (kind === 'wrong_log') rpc.judge(endpoint, 'eth_getLogs', words)
      doubted.add(endpoint)
    }
    for (let attempt = 0; attempt < rpc.endpoints + 2; attempt++) {
      const asked = await ask(range, to, doubted, signal)
      if ('doubt' in asked) {
        doubt(asked.kind, asked.doubt, asked.endpoint)
        continue
      }
      const { found, misnumbered, endpoint } = asked
      rpc.judge(endpoint, 'eth_getLogs', undefined)
      if (found.logs.length === 0 && !emptyOnce) {
        emptyOnce = found
        doubted.add(endpoint)
        // Every empty answer is asked for twice, so the second question is no further attempt.
        attempt--
        continue
      }
      if (emptyOnce && found.logs.length > 0) metrics.rpcOmissions.inc({ chain: chain.name, kind: 'empty' })
      const missing = await complete({ ...range, to }, found, signal)
      if (missing === undefined) {
        found.logs = await numbering.settle({ logs: found.logs, asked: range, misnumbered }, signal)
        return { found, endpoint }
      }
      doubt('incomplete', missing, endpoint)
    }
    throw new DoubtfulAnswerError({ chain: chain.name, question: `eth_getLogs ${range.from}–${to}`, reason })
  }

  /** The logs of a block that all nodes refuse. The refusal is thrown where the block's receipts do not settle it either. */
  async function settleRefused(range: LogRange, refusal: RpcError, signal?: AbortSignal): Promise<RangeLogs> {
    try {
      const found = await settleOne(range, signal)
      return {
        ...found,
        logs: await numbering.settle({ logs: found.logs, asked: range, misnumbered: new Set() }, signal),
      }
    } catch (error) {
      if (!(error instanceof MintmarkError)) throw error
      const { address, to: block } = range
      log.debug({ chain: chain.name, block, err: error }, 'a block that is refused is not settled by its receipts')
      throw new LogRangeError({ chain: chain.name, address, block, cause: refusal })
    }
  }

  return {
    async read(range, signal) {
      const width = await widths.of(range.address)
      let narrowest = Number.POSITIVE_INFINITY
      const refusers = new Set<string>()
      for (;;) {
        const { width: blocks, avoid } = width.next()
        const most = BigInt(Math.min(blocks, narrowest))
        const to = range.from + most - 1n < range.to ? range.from + most - 1n : range.to
        const asked = Number(to - range.from) + 1
        try {
          const { found, endpoint } = await settle(range, to, new Set([...avoid, ...refusers]), signal)
          width.answered(asked, endpoint)
          return found
        } catch (error) {
          if (!(error instanceof RpcError) || !isCurable(error)) throw error
          if (asked === 1) {
            if (refusers.has(error.endpoint) || refusers.size + 1 >= rpc.endpoints)
              return await settleRefused({ ...range, to }, error, signal)
            refusers.add(error.endpoint)
          }
          const takes = width.refused(asked, error.endpoint, error.refusal)
          // It was to be avoided, so no other endpoint is left to ask: what it takes bounds this range.
          if (avoid.has(error.endpoint) || refusers.has(error.endpoint)) narrowest = Math.min(narrowest, takes)
          log.debug(
            { chain: chain.name, endpoint: error.endpoint, blocks: asked, takes, words: error.words },
            'range refused',
          )
        }
      }
    },
  }
}
