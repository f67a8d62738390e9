import { expect, test } from 'vitest'
import { mint, nft, openSource, other, topics } from '../../../../test/evmSource.ts'
import { createRpcServer } from '../../../../test/rpcServer.ts'
import { createScriptedNode } from '../../../../test/scriptedNode.ts'
import { decodeReply } from './decodedLogs.ts'
import type { LogDecoder } from './source.ts'

/** Reads blocks 0 to 2,199 of a chain that has so many logs of a contract in every `every`th block. */
async function read({ every = 1, logs = 1, maxLogRange = null as number | null }) {
  const chain = createScriptedNode({ blooms: false })
  for (let i = 1; i < 2_200; i++) {
    const own = i % every === 0 ? Array.from({ length: logs }, () => mint(nft, i)) : []
    chain.add(i === 20 ? [mint(other, 1), ...own] : own)
  }
  chain.finalized = 2_199
  await using server = await createRpcServer(chain.handler())
  await using over = openSource([server], {}, maxLogRange)
  const decoder: LogDecoder<number[]> = async (reply) =>
    decodeReply(reply, (logs) => logs.map(({ blockNumber }) => Number(blockNumber)))
  // Block 20 has logs of two transactions, which shows that the node numbers logs correctly.
  await over.source.logs({ address: nft, topics, from: 0n, to: 99n })
  /** The last block of each answer, negative if its logs were not decoded. */
  const ends: number[] = []
  const blocks: number[] = []
  for (let from = 0n; from < 2_200n; ) {
    const { logs, to, decoded } = await over.source.logs({ address: nft, topics, from, to: 2_199n }, undefined, decoder)
    ends.push(decoded ? Number(to) : -Number(to))
    blocks.push(...(decoded?.of ?? logs.map(({ blockNumber }) => Number(blockNumber))))
    from = to + 1n
  }
  const expected = Array.from({ length: Math.floor(2_199 / every) }, (_, i) =>
    Array<number>(logs).fill((i + 1) * every),
  )
  expect(blocks).toEqual(expected.flat())
  return ends
}

test('behavior: a range up to the head with many logs is decoded, except its newest blocks, which are read separately', async () => {
  expect(await read({})).toEqual([999, 1_174, -2_199])
})

test('behavior: one request reads a range up to the head with few logs', async () => {
  expect(await read({ every: 20 })).toEqual([999, -2_199])
})

test('behavior: answers of a node with a range limit are decoded if each has many logs', async () => {
  expect(await read({ maxLogRange: 500, logs: 5 })).toEqual([499, 999, -2_199])
  expect(await read({ maxLogRange: 500, logs: 1 })).toEqual([499, -2_199])
})
