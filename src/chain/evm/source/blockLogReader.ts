import type { Metrics } from '../../../metrics/metrics.ts'
import { type Address, type Hex, quantity } from '../../../util/hex.ts'
import type { EvmChain } from '../chains.ts'
import type { Header, Rpc, RpcLog } from '../rpc/rpc.ts'
import { NoEndpointError, RpcError } from '../rpc/rpcError.ts'
import { type Blooms, coversBloom, headerBloom, isEmptyBloom } from './bloom.ts'
import type { LogNumbering } from './logNumbering.ts'
import { readLogs } from './readLogs.ts'
import { lackingIn, numberedInOrder, sameLogs } from './sameLogs.ts'
import type { BlockSettler } from './settleBlock.ts'
import type { EvmSource, Topics } from './source.ts'
import { BlockUnsettledError } from './sourceError.ts'
import { type Tries, tryWay, type Way } from './tryWays.ts'

export type BlockLogReaderOptions = {
  rpc: Rpc
  chain: EvmChain
  blooms: Blooms
  settler: BlockSettler
  numbering: LogNumbering
  /** The first block for which a second answer is requested: nodes are not known to omit logs of older blocks. */
  firstUnsettled: () => bigint
  metrics: Metrics
}

/** An answer of eth_getLogs with all logs of this block. `misnumbered`: contains the block if its log indexes are invalid. */
type FoundLogs = ReadAnswer & { endpoint: string }
type ReadAnswer = { logs: RpcLog[]; misnumbered: ReadonlySet<number> }

/** A node that rejects block hashes in eth_getLogs is queried by number for this time. */
const byNumberMs = 600_000
/** Shortest and longest wait for a second answer; the longest is this multiple of the time of the first. */
const secondWaitMs = 1_000
const secondWaitFactor = 3
/** After a second answer that did not come in time, none is requested for this time. */
const secondPauseMs = 10_000
const hashRejections = new Set(['invalid_params', 'unknown', 'method_disabled', 'range_cap'])
/** Errors of a node that does not have the block: another node may have it. */
const notThere = new Set(['beyond_head', 'pruned', 'reversed'])
/** Rejections after which the block's receipts are read instead: too many logs for one answer, or no eth_getLogs. */
const settledByReceipts = new Set([
  'result_cap',
  'response_size',
  'range_cap',
  'timeout',
  'unknown',
  'invalid_params',
  'method_missing',
  'method_disabled',
])

export function createBlockLogReader(options: BlockLogReaderOptions): EvmSource['blockLogs'] {
  const { rpc, chain, blooms, settler, numbering, firstUnsettled, metrics } = options
  let byNumberUntil = Number.NEGATIVE_INFINITY
  let secondFrom = Number.NEGATIVE_INFINITY
  let keepsBlooms = true

  async function requestOnce(header: Header, topics: Topics, avoid: ReadonlySet<string>, signal?: AbortSignal) {
    const requestOptions = { avoid, ...(signal && { signal }) }
    const at = quantity(header.number)
    const byNumber = { fromBlock: at, toBlock: at, topics }
    if (performance.now() < byNumberUntil) return await rpc.request<unknown>('eth_getLogs', [byNumber], requestOptions)
    try {
      return await rpc.request<unknown>('eth_getLogs', [{ blockHash: header.hash, topics }], requestOptions)
    } catch (error) {
      if (!(error instanceof RpcError) || !hashRejections.has(error.class)) throw error
      const answer = await rpc.request<unknown>('eth_getLogs', [byNumber], requestOptions)
      byNumberUntil = performance.now() + byNumberMs
      return answer
    }
  }

  /** The valid answers of nodes with the logs of this block. */
  async function* answersOf(
    header: Header,
    topics: Topics,
    tries: Pick<Tries, 'attempts' | 'avoid' | 'reasons' | 'isRejection'>,
    signal?: AbortSignal,
  ): AsyncGenerator<FoundLogs, { rejected: boolean }> {
    const number = Number(header.number)
    const question = { topics, from: number, to: number, blockHash: header.hash }
    const way: Way<ReadAnswer> = {
      method: 'eth_getLogs',
      request: (avoid) => requestOnce(header, topics, avoid, signal),
      read(result) {
        const misnumbered = new Set<number>()
        const logs = readLogs(result, question, (block) => misnumbered.add(block))
        return typeof logs === 'string' ? logs : { logs, misnumbered }
      },
    }
    const onWrong = () => metrics.rpcOmissions.inc({ chain: chain.name, kind: 'wrong_log' })
    const answers = tryWay(way, { ...tries, judge: rpc.judge, onWrong })
    for (;;) {
      const next = await answers.next()
      if (next.done) return next.value
      yield { ...next.value.result, endpoint: next.value.endpoint }
    }
  }

  /** All logs of this block; undefined if the nodes reject the request, so that its receipts must be read instead. */
  async function request(
    header: Header,
    topics: Topics,
    inconsistent: Set<string>,
    signal?: AbortSignal,
  ): Promise<FoundLogs | undefined> {
    const reasons: unknown[] = []
    const tries = {
      attempts: Math.max(2, rpc.endpoints),
      avoid: inconsistent,
      reasons,
      isRejection(fault: RpcError) {
        if (fault.heavy || settledByReceipts.has(fault.class)) return true
        if (!notThere.has(fault.class)) throw fault
        metrics.rpcOmissions.inc({ chain: chain.name, kind: 'lag' })
        return false
      },
    }
    const next = await answersOf(header, topics, tries, signal).next()
    if (!next.done) return next.value
    if (next.value.rejected) return undefined
    metrics.rpcOmissions.inc({ chain: chain.name, kind: 'unsettled' })
    throw new BlockUnsettledError({ chain: chain.name, block: header, reasons })
  }

  /**
   * A second answer, of another endpoint if one responds. `firstMs`: time of the first. undefined: none came in time, as a node may lag or hang.
   */
  async function requestAgain(
    header: Header,
    topics: Topics,
    { inconsistent, firstMs }: { inconsistent: Set<string>; firstMs: number },
    signal?: AbortSignal,
  ): Promise<FoundLogs | undefined> {
    if (performance.now() < secondFrom) return undefined
    const limit = AbortSignal.timeout(Math.max(secondWaitMs, Math.ceil(firstMs * secondWaitFactor)))
    const tries = { attempts: 1, avoid: inconsistent, reasons: [], isRejection: () => true }
    try {
      const either = signal ? AbortSignal.any([signal, limit]) : limit
      const next = await answersOf(header, topics, tries, either).next()
      // A lagging node returns no logs of a number that it does not have.
      const isUnsure = !next.done && next.value.logs.length === 0 && performance.now() < byNumberUntil
      return next.done || isUnsure ? undefined : next.value
    } catch (error) {
      signal?.throwIfAborted()
      if (limit.aborted) secondFrom = performance.now() + secondPauseMs
      else if (!(error instanceof NoEndpointError)) throw error
      return undefined
    }
  }

  /**
   * All logs of a block in order. `given` has two logs with one index, one of which may be of another block. Or it has a gap, which may be a missing
   * log. The bloom need not show either. undefined: there is only a gap, and the nodes return nothing to decide.
   */
  async function settleWhole(
    header: Header,
    given: FoundLogs,
    inconsistent: ReadonlySet<string>,
    signal?: AbortSignal,
  ): Promise<RpcLog[] | undefined> {
    try {
      const settled = await settler.settle(header, [], { given, inconsistent }, signal)
      if (lackingIn(given.logs, settled).length > 0) metrics.rpcOmissions.inc({ chain: chain.name, kind: 'omitted' })
      else numbering.misnumbers(Number(header.number), given.endpoint)
      return numberedInOrder(settled)
    } catch (error) {
      if (!(error instanceof BlockUnsettledError) || given.misnumbered.size > 0) throw error
      return undefined
    }
  }

  /** The logs of an answer, with their log indexes in the block. */
  async function numbered(
    header: Header,
    topics: Topics,
    answer: FoundLogs,
    inconsistent: ReadonlySet<string>,
    signal?: AbortSignal,
  ): Promise<RpcLog[]> {
    const { logs, misnumbered, endpoint } = answer
    if (topics.length > 0) {
      const part = { logs, endpointOf: () => endpoint, requested: { topics }, misnumbered, headers: [header] }
      return numbering.settle(part, signal)
    }
    if (isInOrder(logs, misnumbered)) return logs
    return (await settleWhole(header, answer, inconsistent, signal)) ?? logs
  }

  return async (header, { topics, watched, watchedList, parties = [] }, signal) => {
    if (header.absent) return []
    const inconsistent = new Set<string>()
    const began = performance.now()
    const answer = await request(header, topics, inconsistent, signal)
    const firstMs = performance.now() - began
    /** These logs were numbered by the whole block. So they do not show how the node numbers those of eth_getLogs, unless that answer did. */
    const renumbered = (settled: RpcLog[]) => {
      if (answer && answer.misnumbered.size > 0) numbering.misnumbers(Number(header.number), answer.endpoint)
      return topics.length === 0 ? numberedInOrder(settled) : settled
    }
    if (!answer) return renumbered(await settler.settle(header, topics, { inconsistent }, signal))
    const { logs } = answer
    /** A bloom shows no missing log whose bits others set too. So a second answer must have the same logs of what is watched. */
    const compared = async () => {
      const matters =
        header.number >= firstUnsettled() &&
        hasWatched(logs, topics, watched, parties) &&
        (topics.length > 0 || isInOrder(logs, answer.misnumbered))
      const second = matters ? await requestAgain(header, topics, { inconsistent, firstMs }, signal) : undefined
      if (!second || sameLogs(second.logs, logs)) return numbered(header, topics, answer, inconsistent, signal)
      const given = likelier(answer, second)
      const settled = await settler.settle(header, topics, { given, inconsistent }, signal)
      for (const one of [answer, second]) {
        if (lackingIn(one.logs, settled).length === 0) continue
        metrics.rpcOmissions.inc({ chain: chain.name, kind: 'omitted' })
        rpc.judge(one.endpoint, 'eth_getLogs', `logs of block ${header.number} are missing`)
      }
      return renumbered(settled)
    }
    const bloom = headerBloom(chain, header)
    if (!bloom || isEmptyBloom(bloom)) {
      // The block has no logs, or the chain has no blooms; there only a second node can confirm an empty answer.
      if (!bloom || logs.length > 0) keepsBlooms = false
      if (keepsBlooms || logs.length > 0 || header.transactionCount === 0 || rpc.endpoints === 1) return compared()
      const second = await request(header, topics, inconsistent, signal)
      if (!second) return renumbered(await settler.settle(header, topics, { inconsistent }, signal))
      return numbered(header, topics, second, inconsistent, signal)
    }
    const lacksParty =
      topics.length > 0 && hitsTopic(blooms, bloom, topics) && isPartyMissing(blooms, bloom, logs, parties)
    if (!lacksParty && !isSuspicious(blooms, bloom, logs, topics, watched, watchedList)) return compared()
    const settled = await settler.settle(header, topics, { given: answer, inconsistent }, signal)
    if (lackingIn(logs, settled).length > 0) metrics.rpcOmissions.inc({ chain: chain.name, kind: 'omitted' })
    return renumbered(settled)
  }
}

function isInOrder(logs: readonly RpcLog[], misnumbered: ReadonlySet<number>): boolean {
  return misnumbered.size === 0 && logs.every(({ logIndex }, i) => Number(logIndex) === i)
}

/** Whether any of the logs must not be missed; all if the logs of all topics were requested. */
function hasWatched(
  logs: readonly RpcLog[],
  topics: Topics,
  watched: (address: Address) => boolean,
  parties: readonly Hex[],
): boolean {
  if (topics.length === 0) return logs.length > 0
  const own = new Set(parties)
  return logs.some((log) => watched(log.address) || log.topics.some((topic, i) => i > 0 && own.has(topic)))
}

/**
 * The longer of two answers: nodes omit logs, and those of system transactions may have no receipt. Of equally many, those in both: one node changed
 * the others.
 */
function likelier(a: FoundLogs, b: FoundLogs): FoundLogs {
  if (a.logs.length !== b.logs.length) return a.logs.length > b.logs.length ? a : b
  const own = new Set(lackingIn(b.logs, a.logs))
  return { ...a, logs: a.logs.filter((log) => !own.has(log)) }
}

/**
 * Whether a log seems to be missing: the bloom has one of the topics but no log came, or a watched address without a log. If the logs of all topics
 * were requested, they must set every bit of the bloom, whatever is watched.
 */
function isSuspicious(
  blooms: Blooms,
  bloom: Uint8Array,
  logs: readonly RpcLog[],
  topics: Topics,
  watched: (address: Address) => boolean,
  watchedList: () => Iterable<Address>,
): boolean {
  if (topics.length === 0) return !coversBloom(blooms.of(logs), bloom)
  if (!hitsTopic(blooms, bloom, topics)) return false
  if (logs.length === 0) return true
  const seen = new Set<Hex>()
  for (const log of logs) if (watched(log.address)) seen.add(log.address)
  for (const address of watchedList()) if (blooms.hits(bloom, address) && !seen.has(address)) return true
  return false
}

/** Whether a log with one of these topics seems to be missing: the bloom has the topic, but no log came with it. */
function isPartyMissing(blooms: Blooms, bloom: Uint8Array, logs: readonly RpcLog[], parties: readonly Hex[]): boolean {
  const hits = parties.filter((party) => blooms.hits(bloom, party))
  if (hits.length === 0) return false
  const seen = new Set(logs.flatMap((log) => log.topics.slice(1)))
  return hits.some((party) => !seen.has(party))
}

/** Whether the block may have a log with one of the wanted first topics; true if any first topic is wanted. */
function hitsTopic(blooms: Blooms, bloom: Uint8Array, topics: Topics): boolean {
  const first = topics[0]
  return !first || first.some((topic) => blooms.hits(bloom, topic))
}
