import { createContractReader } from '../src/chain/evm/contracts/createContractReader.ts'
import { createRpc } from '../src/chain/evm/rpc/createRpc.ts'
import { rpcSettings } from '../src/chain/evm/rpc/rpcSettings.ts'
import type { RangeCaps } from '../src/chain/evm/source/logWidth.ts'
import { createMetrics } from '../src/metrics/metrics.ts'
import { noopLog } from '../src/util/log.ts'
import type { Anvil } from './anvil.ts'
import { evmChain } from './evmChain.ts'
import { createRpcServer, RpcFailure, type RpcHandler } from './rpcServer.ts'

/** A contract reader over one node or several, with the service's settings. */
export function readerOver(url: string | readonly string[], timeoutMs = 10_000, caps?: RangeCaps) {
  const chain = evmChain([url].flat())
  const settings = rpcSettings.parse({ timeoutMs, maxConcurrency: 8, batchSize: 100 })
  const rpc = createRpc({ chain, settings, metrics: createMetrics(), log: noopLog })
  return {
    ...createContractReader({ rpc, chain, ...(caps && { caps }), log: noopLog }),
    [Symbol.asyncDispose]: () => rpc.close(),
  }
}

/** A node in front of anvil. Tests use it to reject calls and to see which calls were made. */
export const inFrontOf = (anvil: Anvil, reject: RpcHandler) =>
  createRpcServer(async (call, exchange) => {
    const rejection = await reject(call, exchange)
    if (rejection !== undefined) return rejection
    const response = await fetch(anvil.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', ...call }),
    })
    const { result, error } = (await response.json()) as { result?: unknown; error?: RpcFailure['error'] }
    return error ? new RpcFailure(error.code, error.message, error.data) : result
  })
