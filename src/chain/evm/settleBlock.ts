import type { Metrics } from '../../metrics.ts'
import { type Blooms, coversBloom, parseBloom } from './bloom.ts'
import type { EvmChain } from './chains.ts'
import { checkLogs, matchesTopics } from './checkLogs.ts'
import type { Header, Rpc, RpcLog } from './rpc.ts'
import { RpcError } from './rpcError.ts'
import type { Topics } from './source.ts'
import { BlockUnsettledError } from './sourceError.ts'

export type BlockSettler = {
  /**
   * All logs of a block with these topics, shown to be complete: every bit of the header's bloom is theirs. `doubted`: who
   * gave the answer that is being settled. Throws BlockUnsettledError.
   */
  settle(header: Header, topics: Topics, doubted: ReadonlySet<string>, signal?: AbortSignal): Promise<RpcLog[]>
}

type Receipt = { blockHash?: unknown; logs?: unknown }

/** Refusals after which the same question need not be put to this or another node. */
const cannot = new Set(['method_missing', 'method_disabled', 'invalid_params', 'unauthorized', 'archive_paywall'])

export function createBlockSettler(options: {
  rpc: Rpc
  chain: EvmChain
  blooms: Promise<Blooms>
  metrics: Metrics
}): BlockSettler {
  const { rpc, chain, metrics } = options

  /**
   * Equal blooms would be too strict: Polygon's system transactions have logs and receipts that the header's bloom leaves
   * out. What it holds must be explained in full, and that is what shows that nothing was left out.
   */
  function explains(blooms: Blooms, header: Header, logs: RpcLog[]): boolean {
    const bloom = parseBloom(header.logsBloom)
    return bloom === undefined || coversBloom(blooms.of(logs), bloom)
  }

  function check(header: Header, logs: unknown, blooms: Blooms): string | undefined {
    const number = Number(header.number)
    const fault = checkLogs(logs, { topics: [], from: number, to: number, blockHash: header.hash })
    if (fault) return fault
    return explains(blooms, header, logs as RpcLog[]) ? undefined : 'logs are missing that the bloom has'
  }

  function fromReceipts(header: Header, answer: unknown, blooms: Blooms): RpcLog[] | string {
    if (!Array.isArray(answer)) return 'no receipts'
    const receipts = answer as Receipt[]
    if (receipts.length < header.transactionCount)
      return `${receipts.length} receipts for ${header.transactionCount} transactions`
    const logs: unknown[] = []
    for (const receipt of receipts) {
      if (receipt?.blockHash !== header.hash) return 'receipts of another block'
      if (!Array.isArray(receipt.logs)) return 'a receipt without logs'
      for (const log of receipt.logs) logs.push(log)
    }
    return check(header, logs, blooms) ?? (logs as RpcLog[])
  }

  return {
    async settle(header, topics, doubted, signal) {
      const blooms = await options.blooms
      const reasons: string[] = []
      let cause: unknown
      const ways = [
        {
          kind: 'receipts',
          method: 'eth_getBlockReceipts',
          params: [header.hash],
          logs: (answer: unknown) => fromReceipts(header, answer, blooms),
        },
        {
          kind: 'block_logs',
          method: 'eth_getLogs',
          params: [{ blockHash: header.hash }],
          logs: (answer: unknown) => check(header, answer, blooms) ?? (answer as RpcLog[]),
        },
      ]
      for (const { kind, method, params, logs } of ways) {
        const avoid = new Set(doubted)
        for (let attempt = 0; attempt < Math.max(2, rpc.endpoints); attempt++) {
          try {
            const { result, endpoint } = await rpc.ask<unknown>(method, params, { avoid, ...(signal && { signal }) })
            const found = logs(result)
            if (typeof found !== 'string') return found.filter((log) => matchesTopics(log, topics))
            metrics.rpcOmissions.inc({ chain: chain.name, kind })
            reasons.push(`${method} at ${endpoint}: ${found}`)
            avoid.add(endpoint)
          } catch (error) {
            if (!(error instanceof RpcError)) throw error
            cause = error
            reasons.push(error.message)
            if (cannot.has(error.class)) break
            avoid.add(error.endpoint)
          }
        }
      }
      metrics.rpcOmissions.inc({ chain: chain.name, kind: 'unsettled' })
      const { number, hash } = header
      throw new BlockUnsettledError({
        chain: chain.name,
        number,
        hash,
        reason: [...new Set(reasons)].join('; '),
        cause,
      })
    },
  }
}
