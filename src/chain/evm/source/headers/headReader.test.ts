import { expect, test } from 'vitest'
import { openSource } from '../../../../../test/evmSource.ts'
import { holdClock } from '../../../../../test/holdClock.ts'
import { createRpcServer, RpcFailure } from '../../../../../test/rpcServer.ts'
import { createScriptedNode } from '../../../../../test/scriptedNode.ts'

const tagOf = ({ params }: { params: readonly unknown[] }) => params[0] === 'finalized'

test('behavior: a finalized block nearer to the head than any before needs a second endpoint', async () => {
  const chain = createScriptedNode({ blocks: 30 })
  const tags = { first: 29, second: 14 }
  await using first = await createRpcServer(chain.handler({ finalized: () => tags.first }))
  await using second = await createRpcServer(chain.handler({ finalized: () => tags.second }))
  await using over = openSource([first, second])
  const finalized = async () => Number((await over.source.head()).finalized)
  const requests = () => second.exchanges.length
  expect(await finalized()).toBe(14)
  tags.first = 15
  tags.second = 16
  expect(await finalized()).toBe(15)
  // As far from the head as before: the first node alone is enough.
  const before = requests()
  chain.add([])
  tags.first = 16
  expect(await finalized()).toBe(16)
  expect(requests()).toBe(before)
  tags.first = 30
  expect(await finalized()).toBe(16)
})

test('behavior: a second endpoint that always reports block 0 holds the finalized block back for a minute', async () => {
  const chain = createScriptedNode({ blocks: 30 })
  await using first = await createRpcServer(chain.handler({ finalized: () => 20 }))
  await using second = await createRpcServer(chain.handler({ finalized: () => 0 }))
  await using over = openSource([first, second])
  const clock = holdClock()
  const finalized = async () => Number((await over.source.head()).finalized)
  expect(await finalized()).toBe(0)
  clock.advance(30_000)
  expect(await finalized()).toBe(0)
  clock.advance(40_000)
  expect(await finalized()).toBe(20)
  const before = second.exchanges.length
  expect(await finalized()).toBe(20)
  expect(second.exchanges).toHaveLength(before)
})

test('behavior: the finalized block of one endpoint counts if no other reports one', async () => {
  const chain = createScriptedNode({ blocks: 30 })
  chain.finalized = 29
  const honest = chain.handler()
  await using first = await createRpcServer(honest)
  await using second = await createRpcServer((call, exchange) =>
    tagOf(call) ? new RpcFailure(-32000, 'service unavailable') : honest(call, exchange),
  )
  await using lone = openSource([first])
  expect((await lone.source.head()).finalized).toBe(29n)
  await using over = openSource([first, second])
  expect((await over.source.head()).finalized).toBe(29n)
})

test('behavior: a second endpoint whose head is below the finalized block does not hold it back', async () => {
  const chain = createScriptedNode({ blocks: 30 })
  await using first = await createRpcServer(chain.handler({ finalized: () => 25 }))
  await using stuck = await createRpcServer(chain.handler({ head: () => 10, finalized: () => 5 }))
  await using over = openSource([first, stuck])
  expect((await over.source.head()).finalized).toBe(25n)
})

test('error: a head above the highest block that can be stored is refused, and another node answers', async () => {
  const chain = createScriptedNode({ blocks: 30 })
  const honest = chain.handler()
  await using high = await createRpcServer((call, exchange) =>
    call.params[0] === 'latest'
      ? { ...(honest(call, exchange) as object), number: '0x200000000' }
      : honest(call, exchange),
  )
  await using good = await createRpcServer(honest)
  await using alone = openSource([high])
  await expect(alone.source.head()).rejects.toThrow(
    'the head is 8589934592, above 8589934591, the highest block that this server can store',
  )
  await using both = openSource([high, good])
  expect((await both.source.head()).head.number).toBe(29n)
})
