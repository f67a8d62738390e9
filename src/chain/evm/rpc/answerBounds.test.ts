import { expect, test } from 'vitest'
import { evmChain } from '../../../../test/evmChain.ts'
import { createRpcServer } from '../../../../test/rpcServer.ts'
import { createMetrics } from '../../../metrics/metrics.ts'
import { noopLog } from '../../../util/log.ts'
import { answerBounds } from './answerBounds.ts'
import { createRpc } from './createRpc.ts'
import { rpcSettings } from './rpcSettings.ts'

test.each([
  ['a megabyte', () => `0x${'0'.repeat(1_048_576)}`],
  ['a list in a list, a hundred deep', () => JSON.parse('['.repeat(100) + ']'.repeat(100)) as unknown],
])('behavior: fails over on %s instead of a block number', async (_, answer) => {
  const node = (give: () => unknown) => createRpcServer(({ method }) => (method === 'eth_chainId' ? '0x7a69' : give()))
  await using bad = await node(answer)
  await using good = await node(() => '0x5')
  const rpc = createRpc({
    chain: evmChain([bad.url, good.url]),
    settings: rpcSettings.parse({}),
    metrics: createMetrics(),
    log: noopLog,
  })
  expect(await rpc.call('eth_blockNumber', [])).toBe('0x5')
  await rpc.close()
  expect(bad.calls('eth_blockNumber')).toHaveLength(1)
})

test('default: the answer limit of a batch sums its calls up to 256 MiB, and traces may nest deeper', () => {
  const number = { method: 'eth_blockNumber', params: [] }
  const traces = { method: 'debug_traceBlockByHash', params: ['0x1'] }
  expect(answerBounds([number, number])).toEqual({ bytes: 131_072, nesting: 64 })
  expect(answerBounds([number, traces])).toEqual({ bytes: 268_435_456, nesting: 2_100 })
})
