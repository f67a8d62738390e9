import { toHex } from 'viem'
import { expect, test } from 'vitest'
import type { Address, Hex } from '../../src/util/hex.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { forwarder } from '../contracts/forwarder.ts'
import { JsonRpcFault, postJsonRpc } from '../jsonRpc.ts'
import { createRpcServer, RpcFailure } from '../rpcServer.ts'
import { keptBodies, startStreamServer } from './streamServer.ts'

const settings = { chains: { local: { confirmations: 1, pollIntervalMs: 20 } } }

/** anvil behind a node that knows some methods not. */
function without(anvil: Anvil, ...missing: string[]) {
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
])('default: what moved inside of transactions, by %s', { timeout: 60_000 }, async (_, missing) => {
  await using anvil = await startAnvil()
  await using node = await without(anvil, ...missing)
  const [alice, bob] = anvil.accounts as [Address, Address]
  const outer = await anvil.deploy(forwarder, [])
  await using t = await startStreamServer(node.url, settings)
  const stream = await t.create({ includeInternalTxs: true })
  await t.add(stream.id, [bob, toHex(0xdead, { size: 20 })])
  const paid = await anvil.sendRaw({ from: alice, to: outer, value: 77n, data: pad(bob) })
  // Straight to the account, and inside without value: neither is a transfer inside.
  await anvil.sendRaw({ from: alice, to: bob, value: 5n })
  await anvil.sendRaw({ from: alice, to: outer, value: 0n, data: pad(bob) })
  const { hash } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', ['latest', false])
  await t.untilFollowed(hash)
  const bodies = await keptBodies(t, stream.id, 'unconfirmed')
  expect(bodies.map(({ block, txsInternal }) => [block.hash, txsInternal])).toEqual([
    [
      paid.blockHash,
      [{ from: outer, to: bob, value: '77', transactionHash: expect.any(String), gas: expect.stringMatching(/^\d+$/) }],
    ],
  ])
})

test('error: where the node offers no traces the stream is paused and says why; others go on', {
  timeout: 60_000,
}, async () => {
  await using anvil = await startAnvil()
  await using node = await without(anvil, 'trace_block', 'debug_traceBlockByHash', 'debug_traceBlockByNumber')
  const [alice, bob] = anvil.accounts as [Address, Address]
  await using t = await startStreamServer(node.url, settings)
  const inside = await t.create({ includeInternalTxs: true, allAddresses: true })
  const outside = await t.create({ includeNativeTxs: true, allAddresses: true })
  await anvil.sendRaw({ from: alice, to: bob, value: 5n })
  await anvil.mine(1)
  const { hash } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', ['latest', false])
  await t.untilFollowed(hash)
  const { status, statusMessage } = await t.call<{ status: string; statusMessage: string }>(
    'GET',
    `/streams/evm/${inside.id}`,
  )
  expect(status).toBe('paused')
  expect(statusMessage).toMatch(/neither trace_block nor debug_traceBlockBy/)
  expect(await keptBodies(t, outside.id, 'unconfirmed')).toHaveLength(1)
})
