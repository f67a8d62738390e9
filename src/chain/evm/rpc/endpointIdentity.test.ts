import { expect, test } from 'vitest'
import { evmChain } from '../../../../test/evmChain.ts'
import { createRpcServer } from '../../../../test/rpcServer.ts'
import { createMetrics } from '../../../metrics/metrics.ts'
import type { Hex } from '../../../util/hex.ts'
import { noopLog } from '../../../util/log.ts'
import { createRpc } from './createRpc.ts'
import { rpcSettings } from './rpcSettings.ts'

function openRpc(urls: string[]) {
  const settings = rpcSettings.parse({ timeoutMs: 5_000, maxConcurrency: 4, batchSize: 10 })
  const rpc = createRpc({ chain: evmChain(urls), settings, metrics: createMetrics(), log: noopLog })
  return { rpc, [Symbol.asyncDispose]: () => rpc.close() }
}

test('behavior: an endpoint with other blocks than the chain is skipped until its blocks match', async () => {
  const word = (digit: string): Hex => `0x${digit.repeat(64)}`
  const hashes = new Map([
    ['first', '1'],
    ['second', '1'],
  ])
  const nodeOf = (name: string) =>
    createRpcServer(({ method, params }) =>
      method === 'eth_chainId'
        ? '0x7a69'
        : method !== 'eth_getBlockByNumber'
          ? name
          : params[0] === '0x1'
            ? { number: '0x1', hash: word(hashes.get(name)!), parentHash: word('0'), timestamp: '0x1' }
            : null,
    )
  await using first = await nodeOf('first')
  await using second = await nodeOf('second')
  await using over = openRpc([first.url, second.url])
  expect(await over.rpc.call('x', [])).toBe('first')
  const marks = [
    { number: 1n, hash: word('1') },
    { number: 9n, hash: word('9') },
  ]
  hashes.set('first', '2')
  over.rpc.expect(marks)
  expect(await over.rpc.call('x', [])).toBe('second')
  expect(await over.rpc.call('x', [])).toBe('second')
  hashes.set('second', '2')
  over.rpc.expect(marks)
  await expect(over.rpc.call('x', [])).rejects.toMatchObject({
    class: 'wrong_chain',
    detail: `serves another chain: its block 1 is ${word('2')}, not ${word('1')}`,
  })
  hashes.set('first', '1')
  over.rpc.expect(marks)
  expect(await over.rpc.call('x', [])).toBe('first')
})
