import { expect, test } from 'vitest'
import { lying, mint, nft, openSource, topics } from '../../../../test/evmSource.ts'
import { createRpcServer, RpcFailure, type RpcServer } from '../../../../test/rpcServer.ts'
import { createScriptedNode, type ScriptedNode } from '../../../../test/scriptedNode.ts'
import type { RpcLog } from '../rpc/rpc.ts'
import { decodeReply } from './decodedLogs.ts'
import type { LogDecoder } from './source.ts'

/** A chain with so many logs of a contract in its blocks from 1 on. Its headers have no blooms, and all are final. */
function chainOf(counts: readonly number[]): ScriptedNode {
  const chain = createScriptedNode({ blooms: false })
  for (const [i, count] of counts.entries()) chain.add(Array.from({ length: count }, () => mint(nft, i + 1)))
  chain.finalized = counts.length
  return chain
}

const blocksOf = (chain: ScriptedNode) => chain.blocks.flatMap(({ number, logs }) => logs.map(() => number))

/** The node, which returns no more than the first `cap` logs of an answer. */
function cutting(chain: ScriptedNode, cap: number) {
  const truth = chain.handler()
  return lying(chain, async (call, exchange) =>
    call.method === 'eth_getLogs' ? ((await truth(call, exchange)) as RpcLog[]).slice(0, cap) : undefined,
  )
}

const decoder: LogDecoder<number[]> = async (reply) =>
  decodeReply(reply, (logs) => logs.map(({ blockNumber }) => Number(blockNumber)))

async function blocksRead(
  servers: readonly RpcServer[],
  head: bigint,
  decoder?: LogDecoder<number[]>,
): Promise<number[]> {
  await using over = openSource(servers, {}, null)
  const blocks: number[] = []
  for (let from = 0n; from <= head; ) {
    const { logs, to, decoded } = await over.source.logs({ address: nft, topics, from, to: head }, undefined, decoder)
    blocks.push(...(decoded?.of ?? logs.map(({ blockNumber }) => Number(blockNumber))))
    from = to + 1n
  }
  return blocks
}

test.each([500, 1_000, 1_024])('error: a node that cuts its answers after %i logs loses none', async (cap) => {
  for (const each of [1, 7, 20]) {
    const blocks = Math.ceil(2_100 / each)
    const chain = chainOf(Array<number>(blocks).fill(each))
    const expected = blocksOf(chain)
    for (const how of [decoder, undefined]) {
      await using server = await createRpcServer(cutting(chain, cap))
      expect(await blocksRead([server], BigInt(blocks), how), `${each} logs in a block`).toEqual(expected)
    }
  }
})

test.each([
  ['more than the limit first', [1_200, ...Array<number>(20).fill(1)]],
  ['more than the limit among blocks of one', [...Array<number>(20).fill(1), 1_500, ...Array<number>(20).fill(1)]],
  ['as many as the limit', Array<number>(4).fill(1_000)],
])('error: a node that cuts its answers loses no logs of a block with %s', async (_, counts) => {
  const chain = chainOf(counts)
  await using server = await createRpcServer(cutting(chain, 1_000))
  expect(await blocksRead([server], BigInt(counts.length))).toEqual(blocksOf(chain))
})

test('error: another node that lacks logs does not confirm a cut answer', async () => {
  const chain = chainOf(Array<number>(300).fill(5))
  const cut = cutting(chain, 1_000)
  let calls = 0
  await using busy = await createRpcServer((call, exchange) =>
    call.method === 'eth_getLogs' && ++calls === 2 ? new RpcFailure(-32000, 'server busy') : cut(call, exchange),
  )
  await using empty = await createRpcServer(lying(chain, ({ method }) => (method === 'eth_getLogs' ? [] : undefined)))
  expect(await blocksRead([busy, empty], 300n)).toEqual(blocksOf(chain))
  expect(empty.calls('eth_getLogs').length).toBeGreaterThan(0)
})

test('behavior: a round number of logs is checked once for each endpoint', async () => {
  const chain = chainOf(Array<number>(100).fill(10))
  await using server = await createRpcServer(chain.handler())
  await using over = openSource([server], {}, null)
  const read = async () => {
    const before = server.calls('eth_getLogs').length
    const { logs } = await over.source.logs({ address: nft, topics, from: 0n, to: 100n })
    return { logs: logs.length, calls: server.calls('eth_getLogs').length - before }
  }
  expect(await read()).toEqual({ logs: 1_000, calls: 2 })
  expect(await read()).toEqual({ logs: 1_000, calls: 1 })
})
