import { expect, test } from 'vitest'
import { mint, nft, openSource, other, topics } from '../../../../test/evmSource.ts'
import { createRpcServer } from '../../../../test/rpcServer.ts'
import { createScriptedNode } from '../../../../test/scriptedNode.ts'
import { decodeReply } from './decodedLogs.ts'
import type { LogDecoder } from './source.ts'

test.each([
  ['many logs: those of settled blocks are decoded, the newest ones are read separately', 1, [999, 1_174, -2_199]],
  ['few logs: one request also reads the newest blocks', 20, [999, -2_199]],
])('behavior: a range up to the head with %s', async (_, every, expected) => {
  const chain = createScriptedNode({ blooms: false })
  const logsOf = (block: number) => [
    ...(block === 20 ? [mint(other, 1)] : []),
    ...(block % every === 0 ? [mint(nft, block)] : []),
  ]
  for (let i = 1; i < 2_200; i++) chain.add(logsOf(i))
  chain.finalized = 2_199
  await using server = await createRpcServer(chain.handler())
  await using over = openSource([server], {}, null)
  const decoder: LogDecoder<number[]> = async (reply) =>
    decodeReply(reply, (logs) => logs.map(({ blockNumber }) => Number(blockNumber)))
  // Block 20 has logs of two transactions, which shows that the node numbers logs correctly.
  await over.source.logs({ address: nft, topics, from: 0n, to: 99n })
  const ends: number[] = []
  const blocks: number[] = []
  for (let from = 0n; from < 2_200n; ) {
    const { logs, to, decoded } = await over.source.logs({ address: nft, topics, from, to: 2_199n }, undefined, decoder)
    ends.push(decoded ? Number(to) : -Number(to))
    blocks.push(...(decoded?.of ?? logs.map(({ blockNumber }) => Number(blockNumber))))
    from = to + 1n
  }
  expect(ends).toEqual(expected)
  expect(blocks).toEqual(Array.from({ length: Math.floor(2_199 / every) }, (_, i) => (i + 1) * every))
})
