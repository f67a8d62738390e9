import { expect, test } from 'vitest'
import { startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { JsonRpcFault, postJsonRpc } from '../jsonRpc.ts'
import { createRpcServer, RpcFailure } from '../rpcServer.ts'
import { keptBodies, startStreamServer } from './streamServer.ts'

test('behavior: streams that cannot be compiled or written are paused, one with invalid node responses returns to history, and others continue', async () => {
  await using anvil = await startAnvil()
  const contract = await anvil.deploy(plain721, ['A', 'A', ''])
  // A node that returns invalid quantities for balances and for one field of transactions.
  await using node = await createRpcServer(async ({ method, params }) => {
    const [answer] = await postJsonRpc(anvil.url, [{ method, params }])
    if (answer instanceof JsonRpcFault) return new RpcFailure(answer.rpcCode, answer.message, answer.data)
    if (method === 'eth_getBalance') return { wei: '0x1' }
    return JSON.parse(JSON.stringify(answer).replaceAll(/"gasPrice":"0x[0-9a-f]+"/g, '"gasPrice":"none"'))
  })
  await using t = await startStreamServer(node.url, { chains: { local: { confirmations: 2, pollIntervalMs: 20 } } })
  const sound = await t.create({ allAddresses: true, includeContractLogs: true })
  const unwritable = await t.create({ allAddresses: true, includeNativeTxs: true })
  const uncompiled = await t.create({ allAddresses: true, includeContractLogs: true })
  // An older version or a user may have stored such a definition.
  await t.db.run(
    `UPDATE stream SET definition = '{"topic0":["no event"],"abi":[{"name":"\\u0000"}],"advancedOptions":[],"getNativeBalances":[],
       "allAddresses":true,"includeContractLogs":true,"includeNativeTxs":false,"includeInternalTxs":false,"includeAllTxLogs":false,"filterPossibleSpam":false,
       "demo":false,"confirmedOnly":false}' WHERE id = $1`,
    [uncompiled.id],
  )
  await t.call('POST', `/streams/evm/${uncompiled.id}/status`, { status: 'active' })

  const mint = (id: bigint) =>
    anvil.send({ to: contract, abi: plain721.abi, functionName: 'mint', args: [anvil.accounts[1]!, id] })
  await mint(1n)
  await mint(2n)
  await mint(3n)
  await anvil.mine(2)
  const { hash } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', ['latest', false])
  await t.untilFollowed(hash)
  // Blocks that were confirmed before the stream reached them have only the confirmed webhook.
  expect((await keptBodies(t, sound.id, 'confirmed')).map(({ logs }) => logs.length)).toEqual([1, 1, 1])
  const statusOf = (id: string) => t.call<{ status: string; statusMessage: string }>('GET', `/streams/evm/${id}`)
  expect(await statusOf(sound.id)).toMatchObject({ status: 'active', statusMessage: '' })
  expect(await statusOf(uncompiled.id)).toMatchObject({
    status: 'paused',
    statusMessage: expect.stringMatching(/^paused: .*topic0\[0\]/),
  })
  expect(await statusOf(unwritable.id)).toMatchObject({
    status: 'paused',
    statusMessage: expect.stringMatching(/^paused: .*none/),
  })

  const getNativeBalances = [{ selectors: ['$contract'], type: 'log' }]
  const unreadable = await t.create({ allAddresses: true, includeContractLogs: true, getNativeBalances })
  await mint(4n)
  await anvil.mine(2)
  await expect
    .poll(() => statusOf(unreadable.id))
    .toMatchObject({ status: 'active', statusMessage: expect.stringContaining('eth_getBalance on local: no number') })
  await expect.poll(async () => (await keptBodies(t, sound.id, 'confirmed')).length).toBe(4)
})
