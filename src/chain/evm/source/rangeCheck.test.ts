import { expect, test } from 'vitest'
import { lying, mint, nft, openSource, topics, word } from '../../../../test/evmSource.ts'
import { createRpcServer, type RpcExchange } from '../../../../test/rpcServer.ts'
import { createScriptedNode } from '../../../../test/scriptedNode.ts'

test('behavior: logs near the head of a replaced block are rejected and requested from another node', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  const earlier = chain.add([mint(), mint(nft, 2)])
  const last = chain.add([mint(nft, 3)])
  await using liar = await createRpcServer(
    lying(chain, async (call, exchange) => {
      if (call.method !== 'eth_getLogs') return undefined
      const logs = (await chain.handler()(call, exchange)) as Record<string, unknown>[]
      return logs.map((log) => (log.blockHash === earlier.hash ? { ...log, blockHash: word(9) } : log))
    }),
  )
  await using good = await createRpcServer(chain.handler())
  await using over = openSource([liar, good])
  const range = { address: nft, topics, from: 0n, to: 6n }
  const { logs } = await over.source.logs(range)
  expect(logs).toEqual([...earlier.logs, ...last.logs])
  expect(await over.omissions()).toEqual({ incomplete: 1 })
  await using alone = openSource([liar])
  await expect(alone.source.logs(range)).rejects.toMatchObject({
    code: 'INCONSISTENT_RESPONSE',
    message: expect.stringMatching(/^eth_getLogs of blocks 0 to 6 on .*logs of another block 5/),
  })
})

test('behavior: the headers of a range near the head are read concurrently with its logs', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  const last = chain.add([mint()])
  const handler = chain.handler()
  const { promise: headersRequested, resolve: headersCame } = Promise.withResolvers<void>()
  const hasLogs = ({ calls }: RpcExchange) => calls.some(({ method }) => method === 'eth_getLogs')
  await using server = await createRpcServer(async (call, exchange) => {
    if (hasLogs(exchange)) await headersRequested
    else if (call.method === 'eth_getBlockByNumber' && call.params[0] === '0x3') headersCame()
    return handler(call, exchange)
  })
  await using over = openSource([server])
  expect((await over.source.logs({ address: nft, topics, from: 2n, to: 5n })).logs).toEqual(last.logs)
})
