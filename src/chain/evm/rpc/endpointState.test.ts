import { expect, test } from 'vitest'
import { evmChain } from '../../../../test/evmChain.ts'
import { createRpcServer, RpcFailure, type RpcHandler } from '../../../../test/rpcServer.ts'
import { createMetrics } from '../../../metrics/metrics.ts'
import { noopLog } from '../../../util/log.ts'
import { createRpc } from './createRpc.ts'
import { rpcSettings } from './rpcSettings.ts'

/** A node of the chain 0x7a69 with one method that reverts. */
const handler: RpcHandler = ({ method }) => {
  if (method === 'no') return new RpcFailure(3, 'execution reverted')
  return method === 'eth_chainId' ? '0x7a69' : 1
}

test('behavior: shows the state of each endpoint by host only, without calling it', async () => {
  await using good = await createRpcServer(handler)
  const rpc = createRpc({
    chain: evmChain(['http://me:word@127.0.0.1:1/?key=word', good.url, `${good.url}/word`]),
    settings: rpcSettings.parse({ timeoutMs: 2_000, maxConcurrency: 8, batchSize: 100 }),
    metrics: createMetrics(),
    log: noopLog,
  })
  const unasked = { state: 'unasked', calls: 0, failed: 0, averageMs: null, fault: null }
  const host = `127.0.0.1:${good.port}`
  expect(rpc.states()).toEqual([
    { name: '127.0.0.1:1', ...unasked },
    { name: host, ...unasked },
    { name: `${host}#2`, ...unasked },
  ])
  expect(good.calls('eth_chainId')).toHaveLength(0)
  const avoid = new Set([host, `${host}#2`])
  await expect(rpc.call('no', [])).rejects.toThrow('reverted')
  for (let i = 0; i < 5; i++) await rpc.call('x', [i], { avoid })
  const [unreachable, first, second] = rpc.states()
  expect(unreachable).toMatchObject({ state: 'away', averageMs: null, fault: 'no answer: connection refused' })
  expect(unreachable!.failed).toBeGreaterThan(0)
  expect(unreachable!.calls).toBe(unreachable!.failed)
  // A reverting call counts as answered.
  expect(first!.calls + second!.calls).toBeGreaterThan(6)
  for (const { failed, state, fault } of [first!, second!])
    expect([failed, fault, state === 'away']).toEqual([0, null, false])
  expect(JSON.stringify(rpc.states())).not.toContain('word')
  rpc.judge(host, 'eth_getLogs', 'a log without data')
  rpc.judge(host, 'eth_chainId', undefined)
  expect(rpc.states()[1]).toMatchObject({ state: 'unreadable', fault: 'eth_getLogs: a log without data' })
  rpc.judge(host, 'eth_getLogs', undefined)
  expect(rpc.states()[1]).toMatchObject({ fault: null })
  await rpc.close()
})
