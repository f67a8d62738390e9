import { expect, test } from 'vitest'
import { mint, nft, openSource, topics } from '../../../../../test/evmSource.ts'
import { createRandom, freshSeed } from '../../../../../test/random.ts'
import {
  createRpcServer,
  type RpcExchange,
  type RpcHandler,
  type RpcServer,
  type RpcServerCall,
} from '../../../../../test/rpcServer.ts'
import { createScriptedNode, type ScriptedNode } from '../../../../../test/scriptedNode.ts'

const random = createRandom(freshSeed())
process.stdout.write(`seed ${random.seed}\n`)

const inconsistencyOnly = (error: unknown) => {
  expect(error).toMatchObject({ code: 'INCONSISTENT_RESPONSE', retryable: true })
  return undefined
}

/** Two chains that are equal up to block 19, and have other tokens afterwards. */
function fork(finalized: number | undefined): { chain: ScriptedNode; behind: ScriptedNode } {
  const chain = createScriptedNode({ blocks: 20 })
  const behind = createScriptedNode({ blocks: 20 })
  for (let i = 0; i < 20; i++) chain.add([mint(nft, i)])
  for (let i = 0; i < 12; i++) behind.add([mint(nft, 100 + i)], `fork ${i}`)
  chain.finalized = finalized
  return { chain, behind }
}

/** Several nodes behind one address: `next` chooses the node for a request, by its first call. */
function choosing(next: (call: RpcServerCall) => ScriptedNode): Promise<RpcServer> {
  const chosen = new Map<RpcExchange, RpcHandler>()
  return createRpcServer((call, exchange) => {
    if (!chosen.has(exchange)) chosen.set(exchange, next(call).handler())
    return chosen.get(exchange)!(call, exchange)
  })
}

/** Several nodes behind a load balancer. */
const balanced = (...nodes: ScriptedNode[]) => choosing(() => random.pick(nodes))

test.each([
  ['by the tag', 26],
  ['by depth', undefined],
])(
  'behavior: final headers and logs are those of the final chain, although a node stays on an undone fork (%s)',
  async (_, finalized) => {
    const { chain, behind } = fork(finalized)
    behind.finalized = finalized === undefined ? undefined : 12
    await using node = await balanced(chain, behind)
    await using over = openSource([node], { finalityDepth: 39 - 26 })
    const { source } = over
    for (let i = 0; i < 20; i++) await source.head()
    const own = (from: number, to: number) => chain.blocks.slice(from, to + 1).map(({ hash }) => hash)
    let whole = 0
    for (let i = 0; i < 12; i++)
      for (const [from, to] of [
        [15, 24],
        [22, 22],
        [20, 26],
        [5, 21],
      ] as const) {
        const headers = await source.headers(BigInt(from), BigInt(to)).catch(inconsistencyOnly)
        if (!headers) continue
        whole++
        expect(headers.map(({ hash }) => hash)).toEqual(own(from, to))
      }
    expect(whole).toBeGreaterThan(0)
    let read = 0
    for (let i = 0; i < 12; i++)
      for (const to of [24n, 26n]) {
        const found = await source.logs({ address: nft, topics, from: 10n, to }).catch(inconsistencyOnly)
        if (!found) continue
        read++
        expect(found.logs.map(({ blockHash }) => blockHash)).toEqual(own(20, Number(found.to)))
      }
    expect(read).toBeGreaterThan(0)
  },
)

test('behavior: headers above the last final block are returned as the node has them', async () => {
  const { chain, behind } = fork(15)
  behind.finalized = 15
  await using stale = await createRpcServer(behind.handler())
  await using over = openSource([stale])
  await over.source.head()
  const headers = await over.source.headers(10n, 24n)
  expect(headers.map(({ hash }) => hash)).toEqual(behind.blocks.slice(10, 25).map(({ hash }) => hash))
  expect(headers[5]!.hash).toBe(chain.blocks[15]!.hash)
})

test('behavior: a process that has read no head yet does not take headers of an undone fork as final', async () => {
  const { chain, behind } = fork(26)
  // The node on the undone fork reports an old final block.
  behind.finalized = 12
  const first = [behind]
  const isNumber = ({ method, params }: RpcServerCall) => method === 'eth_getBlockByNumber' && params[0] === '0x16'
  await using node = await choosing((call) => (isNumber(call) && first.pop()) || chain)
  await using over = openSource([node])
  const headers = await over.source.headers(22n, 24n)
  expect(headers.map(({ hash }) => hash)).toEqual(chain.blocks.slice(22, 25).map(({ hash }) => hash))
})

test('behavior: an undone block is not found by hash, although a node still has it', async () => {
  const { chain, behind } = fork(26)
  behind.finalized = 12
  await using node = await balanced(chain, behind)
  await using over = openSource([node])
  for (let i = 0; i < 20; i++) await over.source.head()
  let found = 0
  for (let i = 0; i < 20; i++) {
    expect(await over.source.headerByHash(behind.blocks[24]!.hash).catch(inconsistencyOnly)).toBeUndefined()
    const own = await over.source.headerByHash(chain.blocks[24]!.hash).catch(inconsistencyOnly)
    if (own) expect(own.hash).toBe(chain.blocks[24]!.hash)
    if (own) found++
  }
  expect(found).toBeGreaterThan(0)
})

test('behavior: a final block of one node is not final under the head of a node that does not confirm it', async () => {
  const { chain, behind } = fork(26)
  const handlers = [chain.handler(), behind.handler()]
  let requested = 0
  await using node = await createRpcServer((call, exchange) => handlers[requested]!(call, exchange))
  await using over = openSource([node])
  expect(await over.source.head()).toMatchObject({ finalized: 26n, finalizedUnderHead: 26n })
  requested = 1
  expect(await over.source.head()).toMatchObject({ finalized: 26n, finalizedUnderHead: 0n })
})

test('behavior: headers of followed blocks are not requested again for the logs of these blocks', async () => {
  const { chain } = fork(26)
  await using node = await createRpcServer(chain.handler())
  await using over = openSource([node])
  await over.source.head()
  await over.source.headers(10n, 39n)
  const requests = () => node.calls('eth_getBlockByNumber').length
  const before = requests()
  const { logs } = await over.source.logs({ address: nft, topics, from: 10n, to: 39n })
  expect(logs).toHaveLength(20)
  // The last block comes with the logs, and two headers show that it is on the chain of the final one.
  expect(requests() - before).toBeLessThanOrEqual(3)
})
