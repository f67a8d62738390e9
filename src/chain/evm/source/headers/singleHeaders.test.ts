import { expect, test } from 'vitest'
import { lying, openSource } from '../../../../../test/evmSource.ts'
import { createRpcServer, RpcFailure, type RpcHandler, type RpcServerCall } from '../../../../../test/rpcServer.ts'
import { createScriptedNode, type ScriptedNode } from '../../../../../test/scriptedNode.ts'

/** A chain, and another one from block 1 on. */
function twoChains() {
  const chain = createScriptedNode({ blocks: 10 })
  const other = createScriptedNode({ blocks: 1 })
  for (let i = 1; i < 10; i++) other.add([], 'other')
  return { chain, other }
}

const named = (node: ScriptedNode, number: number) => ({
  number: BigInt(number),
  hash: node.blocks[number]!.hash,
  timestamp: BigInt(1_700_000_000 + number * 12),
})

const byNumber = ({ method, params }: RpcServerCall) =>
  method === 'eth_getBlockByNumber' && String(params[0]).startsWith('0x')

const inconsistent = { code: 'INCONSISTENT_RESPONSE', retryable: true }

test('default: a lone node confirms a block by its hash', async () => {
  const { chain, other } = twoChains()
  await using node = await createRpcServer(chain.handler())
  await using over = openSource([node])
  await over.source.confirm(named(chain, 5))
  await expect(over.source.confirm(named(other, 5))).rejects.toMatchObject(inconsistent)
  await expect(over.source.confirm({ ...named(chain, 5), timestamp: 1n })).rejects.toMatchObject(inconsistent)
})

test('error: a lone node that has a block only by its number does not confirm it', async () => {
  const { chain, other } = twoChains()
  const wrong = other.handler()
  await using node = await createRpcServer(
    lying(chain, (call, exchange) => (byNumber(call) ? wrong(call, exchange) : undefined)),
  )
  await using over = openSource([node])
  await expect(over.source.confirm(named(other, 5))).rejects.toMatchObject(inconsistent)
})

test('error: two nodes with different blocks of a number confirm neither, and three nodes confirm that of two', async () => {
  const { chain, other } = twoChains()
  await using liar = await createRpcServer(other.handler())
  await using honest = await createRpcServer(chain.handler())
  await using third = await createRpcServer(chain.handler())
  for (const nodes of [
    [liar, honest],
    [honest, liar],
  ]) {
    await using over = openSource(nodes)
    await expect(over.source.confirm(named(other, 5))).rejects.toMatchObject(inconsistent)
    await expect(over.source.confirm(named(chain, 5))).rejects.toMatchObject(inconsistent)
  }
  await using over = openSource([liar, honest, third])
  await over.source.confirm(named(chain, 5))
  await expect(over.source.confirm(named(other, 5))).rejects.toMatchObject(inconsistent)
})

test.each<[string, (chain: ScriptedNode) => RpcHandler]>([
  ['lacks the block', (chain) => chain.handler({ head: () => 4 })],
  ['does not respond', (chain) => lying(chain, (call) => (byNumber(call) ? new Promise(() => undefined) : undefined))],
  ['is down', () => () => new RpcFailure(-32005, 'rate limit exceeded')],
])('behavior: one node confirms a block if the other one %s', async (_, handler) => {
  const { chain } = twoChains()
  chain.finalized = 8
  await using good = await createRpcServer(chain.handler())
  await using second = await createRpcServer(handler(chain))
  await using over = openSource([good, second])
  await over.source.headers(5n, 5n)
  await over.source.confirm(named(chain, 5))
})

test.each([
  [-32601, 'Method not found'],
  [-32000, 'oh no'],
  [-32000, 'access denied'],
])('behavior: a node without blocks by hash confirms a block by its number; error %i %s', async (code, message) => {
  const { chain, other } = twoChains()
  await using node = await createRpcServer(
    lying(chain, ({ method }) => (method === 'eth_getBlockByHash' ? new RpcFailure(code, message) : undefined)),
  )
  await using over = openSource([node])
  await over.source.confirm(named(chain, 5))
  await expect(over.source.confirm(named(other, 5))).rejects.toMatchObject(inconsistent)
})

test('behavior: a lone address confirms a block if only one of the nodes behind it lags', async () => {
  const { chain } = twoChains()
  let answers = 0
  const late = chain.handler({ head: () => 4 })
  await using node = await createRpcServer(
    lying(chain, (call, exchange) => (answers++ < 2 ? late(call, exchange) : undefined)),
  )
  await using over = openSource([node])
  await over.source.identity()
  answers = 0
  await over.source.confirm(named(chain, 5))
})
