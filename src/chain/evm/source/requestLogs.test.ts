import { expect, test } from 'vitest'
import { lying, mint, nft, openSource, topics } from '../../../../test/evmSource.ts'
import { createRpcServer, type RpcServer } from '../../../../test/rpcServer.ts'
import { createScriptedNode, type ScriptedNode } from '../../../../test/scriptedNode.ts'
import type { RpcLog } from '../rpc/rpc.ts'
import { decodeReply } from './decodedLogs.ts'
import type { LogDecoder } from './source.ts'

/** A chain whose blocks 1 to `blocks` have `each` logs of a contract. Its headers have no blooms, and all are final. */
function chainOf(blocks: number, each: number): ScriptedNode {
  const chain = createScriptedNode({ blooms: false })
  for (let i = 1; i <= blocks; i++) chain.add(Array.from({ length: each }, () => mint(nft, i)))
  chain.finalized = blocks
  return chain
}

/** The node, which returns no more than the first `cap` logs of an answer. */
function cutting(chain: ScriptedNode, cap: number) {
  const truth = chain.handler()
  return lying(chain, async (call, exchange) =>
    call.method === 'eth_getLogs' ? ((await truth(call, exchange)) as RpcLog[]).slice(0, cap) : undefined,
  )
}

const decoder: LogDecoder<number[]> = async (reply) =>
  decodeReply(reply, (logs) => logs.map(({ blockNumber }) => Number(blockNumber)))

async function blocksRead(server: RpcServer, head: bigint, decoder?: LogDecoder<number[]>): Promise<number[]> {
  await using over = openSource([server], {}, null)
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
    const chain = chainOf(blocks, each)
    const expected = chain.blocks.flatMap(({ number, logs }) => logs.map(() => number))
    for (const how of [decoder, undefined]) {
      await using server = await createRpcServer(cutting(chain, cap))
      expect(await blocksRead(server, BigInt(blocks), how), `${each} logs in a block`).toEqual(expected)
    }
  }
})

test('behavior: a round number of logs is checked once for each endpoint', async () => {
  const chain = chainOf(100, 10)
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
