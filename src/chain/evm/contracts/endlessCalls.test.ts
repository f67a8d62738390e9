import { type AbiFunction, decodeFunctionData, encodeAbiParameters, encodeFunctionResult } from 'viem'
import { expect, test } from 'vitest'
import { readerOver } from '../../../../test/contractReader.ts'
import { multicall } from '../../../../test/contracts/artifacts/multicall.ts'
import { createRpcServer, RpcFailure } from '../../../../test/rpcServer.ts'
import type { Address, Hex } from '../../../util/hex.ts'
import { multicall3 } from './multicall.ts'

const collection: Address = '0x00000000000000000000000000000000000c0de5'
const { abi } = multicall
const endless = Number.POSITIVE_INFINITY

/** A node whose contract uses `costOf` gas for a token's URI; it counts the gas of its calls. */
async function nodeWith(costOf: (id: number) => number) {
  const uri = encodeAbiParameters([{ type: 'string' }], ['ipfs://drawn'])
  const outOfGas = new RpcFailure(-32000, 'out of gas')
  let used = 0
  /** Does what Multicall3 does: each call gets 63/64 of the remaining gas. */
  function together(calls: readonly { callData: Hex }[], gas: number): unknown {
    let remaining = gas
    const results: { success: boolean; returnData: Hex }[] = []
    for (const { callData } of calls) {
      remaining -= 5_000
      const given = Math.floor((remaining * 63) / 64)
      const cost = costOf(Number(`0x${callData.slice(10)}`))
      remaining -= Math.min(cost, given)
      if (remaining < 5_000) {
        used += gas
        return outOfGas
      }
      results.push(cost <= given ? { success: true, returnData: uri } : { success: false, returnData: '0x' })
    }
    used += gas - remaining
    return encodeFunctionResult({ abi, functionName: 'aggregate3', result: results } as never)
  }
  const server = await createRpcServer(({ method, params }) => {
    if (method === 'eth_blockNumber') return '0x10'
    if (method === 'eth_getCode') return '0x01'
    if (method === 'eth_chainId') return '0x7a69'
    if (method !== 'eth_call') return new RpcFailure(-32601, 'no such method')
    const { to, data, gas } = params[0] as { to: Address; data: Hex; gas: Hex }
    if (to === multicall3) {
      const { args } = decodeFunctionData({ abi: abi as readonly AbiFunction[], data })
      return together(args![0] as never, Number(gas))
    }
    const cost = costOf(Number(`0x${data.slice(10)}`))
    used += Math.min(cost, Number(gas))
    return cost <= Number(gas) ? uri : outOfGas
  })
  const reader = readerOver(server.url)
  return {
    read: (ids: readonly number[], options = {}) => reader.tokenUris(collection, 'ERC721', ids.map(BigInt), options),
    /** Returns the gas used since the last call of this function. */
    gas() {
      const before = used
      used = 0
      return before
    },
    async [Symbol.asyncDispose]() {
      await reader[Symbol.asyncDispose]()
      await server.close()
    },
  }
}

const range = (count: number, first = 0) => Array.from({ length: count }, (_, i) => first + i)

test('behavior: endless token URIs cost a bounded number of calls with the full gas limit', async () => {
  await using node = await nodeWith(() => endless)
  const ids = range(500)
  const failed = ids.map(() => ({ lasting: false, reason: expect.any(String) }))
  expect(await node.read(ids)).toEqual(failed)
  // The reader sends about 20 multicalls and 20 single calls. Every other call gets a million gas. Without this limit the sum would be
  // 47,000 million.
  expect(node.gas()).toBeLessThan(3_000_000_000)
  expect(await node.read(ids)).toEqual(failed)
  expect(node.gas()).toBeLessThan(1_200_000_000)
})

test.each([
  ['every second one', (id: number) => id % 2 === 0],
  ['nine of ten', (id: number) => id % 10 !== 0],
  ['the first four hundred', (id: number) => id < 400],
])('behavior: tokens between endless ones (%s) get their URIs in the first read', async (_, isEndless) => {
  await using node = await nodeWith((id) => (isEndless(id) ? endless : 100_000))
  const ids = range(500)
  const expected = ids.map((id) => (isEndless(id) ? expect.objectContaining({ lasting: false }) : 'ipfs://drawn'))
  expect(await node.read(ids)).toEqual(expected)
  expect(node.gas()).toBeLessThan(7_000_000_000)
  expect(await node.read(ids.toReversed())).toEqual(expected.toReversed())
  expect(node.gas()).toBeLessThan(1_200_000_000)
})

test('behavior: expensive tokens among endless ones get their URIs after a bounded number of reads', async () => {
  const isDear = (id: number) => id % 50 === 49
  await using node = await nodeWith((id) => (isDear(id) ? 15_000_000 : endless))
  let pending = range(200)
  let rounds = 0
  for (; pending.some(isDear); rounds++) {
    expect(rounds).toBeLessThan(200 / 8)
    const uris = await node.read(pending)
    pending = pending.filter((_, i) => typeof uris[i] !== 'string')
  }
  expect(pending).toHaveLength(196)
  expect(rounds).toBeGreaterThan(1)
})

test('behavior: a few endless tokens do not hold back the expensive ones', async () => {
  const isEndless = (id: number) => id % 100 === 7
  await using node = await nodeWith((id) => (isEndless(id) ? endless : 15_000_000))
  const uris = await node.read(range(300))
  expect(uris.filter((uri) => uri === 'ipfs://drawn')).toHaveLength(297)
})

test('behavior: with a small answer budget each read returns the first URIs, at least one', async () => {
  await using node = await nodeWith((id) => (id < 40 ? endless : 100_000))
  const all: unknown[] = []
  for (const ids = range(500); ids.length > 0; ) {
    const uris = await node.read(ids, { answerBudget: 100 })
    expect(uris.length).toBeGreaterThan(0)
    ids.splice(0, uris.length)
    all.push(...uris)
  }
  expect(all.filter((uri) => uri === 'ipfs://drawn')).toHaveLength(460)
})
