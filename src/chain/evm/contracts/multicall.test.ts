import { expect, test } from 'vitest'
import { evmChain } from '../../../../test/evmChain.ts'
import { createRpcServer } from '../../../../test/rpcServer.ts'
import { createMetrics } from '../../../metrics/metrics.ts'
import { noopLog } from '../../../util/log.ts'
import { createRpc } from '../rpc/createRpc.ts'
import { rpcSettings } from '../rpc/rpcSettings.ts'
import { createMulticall, multicall3 } from './multicall.ts'

test.each([
  ['where it usually stands', undefined],
  ['where the chain has it', '0xf9cda624fbc7e059355ce98a31693d299facd963'],
] as const)('behavior: finds and calls Multicall3 %s', async (_, multicall) => {
  const server = await createRpcServer(({ method }) => (method === 'eth_chainId' ? '0x7a69' : '0x01'))
  const chain = { ...evmChain([server.url]), ...(multicall && { multicall }) }
  const rpc = createRpc({ chain, settings: rpcSettings.parse({}), metrics: createMetrics(), log: noopLog })
  try {
    const { isDeployed, run } = createMulticall({ rpc, chain, log: noopLog })
    expect(await isDeployed()).toBe(true)
    await run([{ to: `0x${'1'.repeat(40)}`, data: '0x' }])
    const to = multicall ?? multicall3
    expect(server.calls('eth_getCode').map(({ params }) => params[0])).toEqual([to])
    expect(server.calls('eth_call').map(({ params }) => params[0])).toEqual([expect.objectContaining({ to })])
  } finally {
    await rpc.close()
    await server.close()
  }
})
