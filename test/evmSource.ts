import type { EvmChain } from '../src/chain/evm/chains.ts'
import { createRpc } from '../src/chain/evm/rpc/createRpc.ts'
import type { Header, Rpc } from '../src/chain/evm/rpc/rpc.ts'
import { rpcSettings } from '../src/chain/evm/rpc/rpcSettings.ts'
import { createEvmSource } from '../src/chain/evm/source/createEvmSource.ts'
import type { EvmSource } from '../src/chain/evm/source/source.ts'
import { createMetrics } from '../src/metrics/metrics.ts'
import type { Address, Hex } from '../src/util/hex.ts'
import { noopLog } from '../src/util/log.ts'
import { evmChain } from './evmChain.ts'
import type { RpcHandler } from './rpcServer.ts'
import type { ScriptedLog, ScriptedNode } from './scriptedNode.ts'

export const word = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`
export const address = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
export const nft = address(0xaa)
export const other = address(0xbb)
export const transfer = word(0x7e)
export const topics = [[transfer], null]
export const mint = (of: Address = nft, id = 1): ScriptedLog => ({ address: of, topics: [transfer, word(id)] })

export type OpenSource = {
  source: EvmSource
  states: Rpc['states']
  /** Count of omissions by kind. */
  omissions(): Promise<Record<string, number>>
  [Symbol.asyncDispose](): Promise<void>
}

/** Opens a source that requests these nodes over real HTTP. */
export function openSource(
  nodes: readonly { url: string }[],
  overrides: Partial<EvmChain> = {},
  maxLogRange: number | null = 1_000,
): OpenSource {
  const metrics = createMetrics()
  const chain = evmChain(
    nodes.map((node) => node.url),
    overrides,
  )
  const settings = rpcSettings.parse({ timeoutMs: 2_000, maxConcurrency: 8, batchSize: 100 })
  const rpc = createRpc({ chain, settings, metrics, log: noopLog })
  const source = createEvmSource({
    rpc,
    chain,
    settings: { maxLogRange },
    metrics,
    log: noopLog,
  })
  return {
    source,
    states: rpc.states,
    async omissions() {
      const { values } = await metrics.rpcOmissions.get()
      return Object.fromEntries(values.map(({ labels, value }) => [labels.kind, value]))
    },
    [Symbol.asyncDispose]: () => source.close(),
  }
}

/** The header of one block. */
export const headerOf = async ({ source }: OpenSource, number: number): Promise<Header> =>
  (await source.headers(BigInt(number), BigInt(number)))[0]!

/** Arguments of `blockLogs` that watch these addresses; all their logs have `topics`. */
export const watch = (...list: Address[]) => ({
  topics,
  watched: (a: Address) => list.includes(a),
  watchedList: () => list,
})

/** Arguments of `blockLogs` that match all logs of a block. */
export const everything = { topics: [], watched: () => false, watchedList: () => [] }

/** Puts `lie` in front of the chain's node. If `lie` returns undefined, the node's true response is sent. */
export function lying(chain: ScriptedNode, lie: RpcHandler): RpcHandler {
  const truth = chain.handler()
  return async (call, exchange) => {
    const answer = await lie(call, exchange)
    return answer === undefined ? truth(call, exchange) : answer
  }
}
