import type { Metrics } from '../../../metrics/metrics.ts'
import type { Hex } from '../../../util/hex.ts'
import type { Log } from '../../../util/log.ts'
import type { EvmChain } from '../chains.ts'
import type { Header, Rpc, RpcLog } from '../rpc/rpc.ts'
import { RpcError } from '../rpc/rpcError.ts'
import { readTransactionHashes } from './blockTransactions.ts'
import { type Blooms, coversBloom, headerBloom, isEmptyBloom } from './bloom.ts'
import { matchesTopics, readLogs } from './readLogs.ts'
import { joinLogs, lackingIn, numberedInOrder, sameLogs } from './sameLogs.ts'
import type { Topics } from './source.ts'
import { BlockUnsettledError, InconsistentResponseError } from './sourceError.ts'
import { type WholeBlockLogs, wholeBlockLogs } from './wholeBlockLogs.ts'

/** The answer of eth_getLogs to be confirmed. */
export type GivenLogs = { logs: readonly RpcLog[]; endpoint: string }

export type BlockSettler = {
  /**
   * All logs of a block with these topics, with their log indexes, confirmed as complete. Either the logs set every bit of the header's bloom. Or two
   * answers from different endpoints or methods have the same logs and the block's transactions; receipts must confirm a log that seems to be of
   * another block. A log that only `given` has is kept if it is of a system transaction, which is not in the block's list and on some chains has no
   * receipt. Any other is kept if a second endpoint returns it too, unless the bloom shows that it is in no log of the block. `inconsistent`:
   * endpoints to query last. Throws BlockUnsettledError.
   */
  settle(
    header: Header,
    topics: Topics,
    options: { given?: GivenLogs; inconsistent?: ReadonlySet<string> },
    signal?: AbortSignal,
  ): Promise<RpcLog[]>
}

export type BlockSettlerOptions = { rpc: Rpc; chain: EvmChain; blooms: Blooms; metrics: Metrics; log: Log }

export function createBlockSettler(options: BlockSettlerOptions): BlockSettler {
  const { rpc, chain, blooms, metrics, log } = options
  let wrongBloomReported = false

  /**
   * Whether the logs set every bit of the header's bloom, so none is missing. Equal blooms would be too strict: Polygon's header omits the logs of
   * system transactions, which have receipts.
   */
  function explains(header: Header, logs: readonly RpcLog[]): boolean {
    const bloom = headerBloom(chain, header)
    return bloom === undefined || coversBloom(blooms.of(logs), bloom)
  }

  /**
   * The bloom if it is that of exactly these logs: then a log that it lacks was invented, however many nodes return it. An empty bloom shows nothing,
   * because chains without blooms fill the field so too.
   */
  function exactBloom(header: Header, logs: readonly RpcLog[]): Uint8Array | undefined {
    const bloom = headerBloom(chain, header)
    return bloom && !isEmptyBloom(bloom) && Buffer.compare(bloom, blooms.of(logs)) === 0 ? bloom : undefined
  }

  /**
   * Whether an answer has a log of another block, which would shift the indexes of later ones: its index is that of another log, and the bloom lacks
   * its address. Logs of system transactions, which a bloom may lack, have their own indexes.
   */
  function hasForeign(header: Header, { kind, logs, misnumbered }: WholeBlockLogs): boolean {
    const bloom = headerBloom(chain, header)
    if (bloom === undefined || kind === 'receipts' || !misnumbered) return false
    return logs.some(({ address }) => !blooms.hits(bloom, address))
  }

  /** Whether agreeing answers have the block's own transactions: two empty lists of logs would show nothing. */
  function speakOfBlock(answers: readonly WholeBlockLogs[], transactions: readonly Hex[] | undefined): boolean {
    if (!transactions) return false
    const inBlock = new Set(transactions)
    return answers.some(({ kind, receiptsOf, logs }) =>
      kind === 'receipts'
        ? transactions.every((hash, i) => receiptsOf[i] === hash)
        : logs.some(({ transactionHash }) => inBlock.has(transactionHash)),
    )
  }

  function reportWrongBloom(header: Header): void {
    metrics.rpcOmissions.inc({ chain: chain.name, kind: 'wrong_bloom' })
    if (wrongBloomReported) return
    wrongBloomReported = true
    log.warn(
      { chain: chain.name, block: String(header.number), hash: header.hash },
      `the header's bloom filter does not match the block's logs, on which nodes agree; if this chain has wrong bloom filters, set chains.${chain.name}.bloom to false`,
    )
  }

  /** The `claimed` logs that another endpoint than `first` returns too, beside the `settled` ones. */
  async function givenElsewhere(
    header: Header,
    topics: Topics,
    { claimed, settled, first }: { claimed: readonly RpcLog[]; settled: readonly RpcLog[]; first: string },
    signal?: AbortSignal,
  ): Promise<RpcLog[]> {
    if (rpc.endpoints === 1) return []
    try {
      const params = [{ blockHash: header.hash, topics }]
      const requestOptions = { avoid: new Set([first]), ...(signal && { signal }) }
      const { result, endpoint } = await rpc.request<unknown>('eth_getLogs', params, requestOptions)
      const number = Number(header.number)
      const logs = readLogs(result, { topics, from: number, to: number, blockHash: header.hash })
      if (typeof logs === 'string' || endpoint === first) return []
      const missing = new Set(lackingIn(lackingIn(settled, logs), claimed))
      return claimed.filter((entry) => !missing.has(entry))
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      return []
    }
  }

  /** The logs of `whole` with these topics, and those of `given` alone that can be trusted. */
  async function withGiven(
    header: Header,
    topics: Topics,
    whole: readonly RpcLog[],
    given: GivenLogs,
    transactions: () => Promise<Hex[] | undefined>,
    signal?: AbortSignal,
  ): Promise<RpcLog[]> {
    const settled = logsOf(whole, topics)
    const beside = lackingIn(settled, given.logs)
    if (beside.length === 0) return settled
    const known = await transactions()
    const inBlock = new Set(known)
    const isSystem = (entry: RpcLog) => known !== undefined && !inBlock.has(entry.transactionHash)
    const system = beside.filter(isSystem)
    const claimed = beside.filter((entry) => !isSystem(entry))
    // A log of a system transaction may not be in the bloom.
    const bloom = known && exactBloom(header, whole)
    const possible = bloom ? claimed.filter((entry) => coversBloom(bloom, blooms.of([entry]))) : claimed
    const confirmed =
      possible.length > 0
        ? await givenElsewhere(header, topics, { claimed: possible, settled, first: given.endpoint }, signal)
        : possible
    if (claimed.length > 0) {
      metrics.rpcOmissions.inc({ chain: chain.name, kind: 'contradiction' })
      const { number, hash } = header
      const kept = confirmed.length
      log.warn(
        { chain: chain.name, endpoint: given.endpoint, block: String(number), hash, logs: claimed.length, kept },
        'rpc responses disagree: eth_getLogs has logs that the receipts of the block lack; kept if a second endpoint has them too and the bloom does not exclude them',
      )
    }
    return joinLogs(settled, [...system, ...confirmed])
  }

  return {
    async settle(header, topics, { given, inconsistent = new Set() }, signal) {
      const reasons: unknown[] = []
      const unexplained: (WholeBlockLogs & { foreign: boolean })[] = []
      let read: Promise<Hex[] | undefined> | undefined
      const transactions = () => {
        read ??= readTransactionHashes(rpc, header, signal ? { signal } : {})
        return read
      }
      const finish = (logs: readonly RpcLog[]) =>
        given ? withGiven(header, topics, logs, given, transactions, signal) : logsOf(logs, topics)
      for await (const answer of wholeBlockLogs(options, header, inconsistent, reasons, signal)) {
        const { kind, endpoint } = answer
        const foreign = hasForeign(header, answer)
        if (!foreign && explains(header, answer.logs)) return finish(answer.logs)
        const twin = unexplained.find(
          (other) => isApart(other, answer) && !(foreign && other.foreign) && sameLogs(other.logs, answer.logs),
        )
        if (twin && speakOfBlock([twin, answer], await transactions())) {
          reportWrongBloom(header)
          return finish(answer.logs)
        }
        unexplained.push({ ...answer, foreign })
        metrics.rpcOmissions.inc({ chain: chain.name, kind })
        const question = `${kind} of ${endpoint}`
        reasons.push(
          foreign
            ? new InconsistentResponseError({
                chain: chain.name,
                question,
                reason: 'two logs of one index, of which the bloom lacks one',
              })
            : `${question}: logs are missing that the bloom has`,
        )
      }
      metrics.rpcOmissions.inc({ chain: chain.name, kind: 'unsettled' })
      throw new BlockUnsettledError({ chain: chain.name, block: header, reasons })
    },
  }
}

/** The logs of a whole block that have these topics, with their indexes in the block. */
const logsOf = (whole: readonly RpcLog[], topics: Topics) =>
  numberedInOrder(whole).filter((entry) => matchesTopics(entry, topics))

/** Whether two answers came from different endpoints or by different methods. */
function isApart(a: WholeBlockLogs, b: WholeBlockLogs): boolean {
  return a.kind !== b.kind || a.endpoint !== b.endpoint
}
