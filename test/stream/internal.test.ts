// @module-tag system

import { toHex } from 'viem'
import { expect, test } from 'vitest'
import type { Address, Hex } from '../../src/util/hex.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { forwarder } from '../contracts/forwarder.ts'
import { JsonRpcFault, postJsonRpc } from '../jsonRpc.ts'
import { patience } from '../patience.ts'
import { createRpcServer, RpcFailure } from '../rpcServer.ts'
import { system } from '../system.ts'
import { keptBodies, type StreamServer, startStreamServer } from './streamServer.ts'

const settings = { chains: { local: { confirmations: 1, pollIntervalMs: 20 } } }

/** Puts a node in front of anvil that lacks the methods in `missing`. */
function without(anvil: Anvil, missing: readonly string[]) {
  return createRpcServer(async ({ method, params }) => {
    if (missing.includes(method)) return new RpcFailure(-32601, `the method ${method} does not exist/is not available`)
    const [answer] = await postJsonRpc(anvil.url, [{ method, params }])
    return answer instanceof JsonRpcFault ? new RpcFailure(answer.rpcCode, answer.message, answer.data) : answer
  })
}

const pad = (address: Address): Hex => `0x${address.slice(2).padStart(64, '0')}`

test.each([
  ['trace_block', []],
  ['debug_traceBlockByHash', ['trace_block']],
  ['debug_traceBlockByNumber', ['trace_block', 'debug_traceBlockByHash']],
])('default: a stream gets internal transactions by %s', async (_, missing) => {
  await using anvil = await startAnvil()
  await using node = await without(anvil, missing)
  const [alice, bob] = anvil.accounts as [Address, Address]
  const outer = await anvil.deploy(forwarder, [])
  await using t = await startStreamServer(node.url, settings)
  const stream = await t.create({ includeInternalTxs: true })
  await t.add(stream.id, [bob, toHex(0xdead, { size: 20 })])
  const paid = await anvil.sendRaw({ from: alice, to: outer, value: 77n, data: pad(bob) })
  // A direct transaction to the account, and an inner call without value. Neither is an internal transaction.
  await anvil.sendRaw({ from: alice, to: bob, value: 5n })
  await anvil.sendRaw({ from: alice, to: outer, value: 0n, data: pad(bob) })
  const { hash } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', ['latest', false])
  await t.untilFollowed(hash)
  const bodies = await keptBodies(t, stream.id, 'first')
  expect(bodies.map(({ block, txsInternal }) => [block.hash, txsInternal])).toEqual([
    [
      paid.blockHash,
      [{ from: outer, to: bob, value: '77', transactionHash: expect.any(String), gas: expect.stringMatching(/^\d+$/) }],
    ],
  ])
})

const balances = { includeNativeTxs: true, getNativeBalances: [{ selectors: ['$from'], type: 'tx' }] }
const tracing = ['trace_block', 'debug_traceBlockByHash', 'debug_traceBlockByNumber']

async function untilStatus(t: StreamServer, id: string, expected: object): Promise<void> {
  await expect.poll(() => t.call('GET', `/streams/evm/${id}`)).toMatchObject(expected)
}

const valuesOf = async (t: StreamServer, id: string) =>
  (await keptBodies(t, id, 'first')).flatMap(({ txsInternal }) => txsInternal.map(({ value }) => value))

test('behavior: a stream that needs traces waits with a reason, does not block others, and gets every block later', async () => {
  const missing: string[] = []
  await using anvil = await startAnvil()
  await using node = await without(anvil, missing)
  const [alice, bob] = anvil.accounts as [Address, Address]
  const outer = await anvil.deploy(forwarder, [])
  await using t = await startStreamServer(node.url, settings)
  const inside = await t.create({ includeInternalTxs: true, allAddresses: true })
  const outside = await t.create({ includeNativeTxs: true, allAddresses: true })
  const payment = (value: bigint) => ({ from: alice, to: outer, value, data: pad(bob) })
  const outsideGot = (count: number) =>
    expect.poll(async () => (await keptBodies(t, outside.id, 'first')).length).toBe(count)
  await anvil.sendRaw(payment(70n))
  await expect.poll(() => valuesOf(t, inside.id)).toEqual(['70'])
  missing.push(...tracing)
  await anvil.sendRaw(payment(71n))
  await outsideGot(2)
  const waiting = expect.stringMatching(/^history waits: .*neither trace_block nor debug_traceBlockBy/)
  await untilStatus(t, inside.id, { status: 'active', statusMessage: waiting })
  // The stream's earlier blocks are retracted, and it gets their replacements.
  await anvil.reorg(2, [
    [payment(80n), 0],
    [payment(81n), 1],
  ])
  await anvil.sendRaw(payment(82n))
  await outsideGot(3)
  missing.length = 0
  await expect.poll(() => valuesOf(t, inside.id)).toEqual(['80', '81', '82'])
  await untilStatus(t, inside.id, { status: 'active', statusMessage: '' })
  await anvil.sendRaw(payment(83n))
  await expect.poll(() => valuesOf(t, inside.id)).toEqual(['80', '81', '82', '83'])
})

test(
  'behavior: a stream that no longer requests traces does not wait for traces of earlier blocks',
  system,
  async () => {
    await using anvil = await startAnvil()
    await using node = await without(anvil, tracing)
    const [alice, bob] = anvil.accounts as [Address, Address]
    await using t = await startStreamServer(node.url, settings)
    const stream = await t.create({ includeInternalTxs: true, includeNativeTxs: true, allAddresses: true })
    await anvil.sendRaw({ from: alice, to: bob, value: 5n })
    await untilStatus(t, stream.id, { statusMessage: expect.stringMatching(/neither trace_block/) })
    await t.call('POST', `/streams/evm/${stream.id}`, { includeInternalTxs: false })
    await expect.poll(() => keptBodies(t, stream.id, 'first')).toHaveLength(1)
  },
)

test(
  'behavior: one “missing trie node” error pauses no stream, and the stream gets every webhook',
  system,
  async () => {
    let rejections = 1
    await using anvil = await startAnvil()
    await using node = await createRpcServer(async ({ method, params }) => {
      if (method === 'eth_getBalance' && rejections-- > 0)
        return new RpcFailure(-32000, 'missing trie node 0a1b (path )')
      const [answer] = await postJsonRpc(anvil.url, [{ method, params }])
      return answer instanceof JsonRpcFault ? new RpcFailure(answer.rpcCode, answer.message, answer.data) : answer
    })
    const [alice, bob] = anvil.accounts as [Address, Address]
    await using t = await startStreamServer(node.url, settings)
    const stream = await t.create({
      includeNativeTxs: true,
      allAddresses: true,
      getNativeBalances: [{ selectors: ['$from'], type: 'tx' }],
    })
    await anvil.sendRaw({ from: alice, to: bob, value: 5n })
    await expect.poll(() => keptBodies(t, stream.id, 'first')).toHaveLength(1)
    expect(rejections).toBeLessThan(1)
    await untilStatus(t, stream.id, { status: 'active', statusMessage: '' })
  },
)

test.each([
  ['of traces by an unknown reason', tracing, { includeInternalTxs: true }, new RpcFailure(-32603, 'internal error')],
  ['of traces by a time limit', tracing, { includeInternalTxs: true }, new RpcFailure(-32000, 'execution timeout')],
  ['of traces as null', tracing, { includeInternalTxs: true }, null],
  ['of balances', ['eth_getBalance'], balances, new RpcFailure(-32603, 'internal error')],
])(
  'behavior: streams that need data that a node does not return do not block others: answers %s',
  async (_, failing, definition, answer) => {
    let fails = true
    await using anvil = await startAnvil()
    await using node = await createRpcServer(async ({ method, params }) => {
      if (fails && failing.includes(method)) return answer
      const [own] = await postJsonRpc(anvil.url, [{ method, params }])
      return own instanceof JsonRpcFault ? new RpcFailure(own.rpcCode, own.message, own.data) : own
    })
    const [alice, bob] = anvil.accounts as [Address, Address]
    const outer = await anvil.deploy(forwarder, [])
    await using t = await startStreamServer(node.url, settings)
    const needing = [await t.create(definition), await t.create(definition)]
    for (const { id } of needing) await t.add(id, [bob, alice])
    const other = await t.create({ includeNativeTxs: true, allAddresses: true })
    for (let i = 1; i <= 3; i++) {
      await anvil.sendRaw({ from: alice, to: outer, value: BigInt(i), data: pad(bob) })
      await expect.poll(() => keptBodies(t, other.id, 'first'), patience).toHaveLength(i)
    }
    const waits = { status: 'active', statusMessage: expect.stringMatching(/^history waits: ./) }
    for (const { id } of needing) await untilStatus(t, id, waits)
    fails = false
    for (const { id } of needing) {
      await expect.poll(() => keptBodies(t, id, 'first'), patience).toHaveLength(3)
      await untilStatus(t, id, { status: 'active', statusMessage: '' })
    }
  },
)
