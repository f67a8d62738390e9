import { expect, test } from 'vitest'
import { startAnvil } from '../../../../test/anvil.ts'
import { inFrontOf, readerOver } from '../../../../test/contractReader.ts'
import { plain721 } from '../../../../test/contracts/artifacts/plain721.ts'
import { address } from '../../../../test/evmSource.ts'
import { RpcFailure } from '../../../../test/rpcServer.ts'
import { quantity } from '../../../util/hex.ts'

const stateMethods = new Set(['eth_call', 'eth_getCode'])

test('error: a node whose state lags behind its blocks does not hide a contract or its tokens', async () => {
  await using anvil = await startAnvil()
  await anvil.mine(10)
  const before = await anvil.blockNumber()
  const collection = await anvil.deploy(plain721, ['Plain', 'PLN', ''])
  const args = [anvil.accounts[1]!, 5n] as const
  await anvil.send({ to: collection, abi: plain721.abi, functionName: 'mint', args })
  const minted = await anvil.blockNumber()
  let lags = 0
  await using server = await inFrontOf(anvil, ({ method, params }) => {
    if (lags === 0 || !stateMethods.has(method)) return undefined
    const [subject, tag] = params
    if (tag === 'latest') return anvil.rpc(method, [subject, quantity(before)])
    if (BigInt(tag as string) <= before) return undefined
    lags--
    return new RpcFailure(-32000, 'header not found')
  })
  await using reader = readerOver(server.url)
  lags = 4
  expect(await reader.identify(collection, { since: minted })).toMatchObject({ standard: 'ERC721', name: 'Plain' })
  lags = 4
  expect(await reader.hasToken(collection, [5n], { since: minted })).toBe(true)
})

test.each([
  [-32602, 'QUANTITY not supported, just support TAG as latest'],
  [-32603, 'invalid block height: 11'],
])('behavior: a node that has only the state of its head decides; error %i %s', async (code, message) => {
  await using anvil = await startAnvil()
  const collection = await anvil.deploy(plain721, ['Plain', 'PLN', ''])
  const at = await anvil.blockNumber()
  await using server = await inFrontOf(anvil, ({ method, params }) =>
    stateMethods.has(method) && params[1] !== 'latest' ? new RpcFailure(code, message) : undefined,
  )
  await using reader = readerOver(server.url)
  expect(await reader.identify(collection, { since: at })).toMatchObject({ name: 'Plain' })
  expect(await reader.identify(address(1), { since: at })).toMatchObject({ hasCode: false })
  expect(await reader.hasToken(collection, [5n], { since: at })).toBe(false)
})

test('behavior: null for the code of a block is no answer', async () => {
  await using anvil = await startAnvil()
  const before = await anvil.blockNumber()
  const collection = await anvil.deploy(plain721, ['Plain', 'PLN', ''])
  const at = await anvil.blockNumber()
  await using server = await inFrontOf(anvil, ({ method, params: [subject, tag] }) => {
    if (!stateMethods.has(method)) return undefined
    if (tag === 'latest') return anvil.rpc(method, [subject, quantity(before)])
    return method === 'eth_getCode' ? null : new RpcFailure(-32000, 'header not found')
  })
  await using reader = readerOver(server.url)
  await expect(reader.identify(collection, { since: at })).rejects.toThrow()
})

test('behavior: a contract of old blocks is queried at the head only', async () => {
  await using anvil = await startAnvil()
  const collection = await anvil.deploy(plain721, ['Plain', 'PLN', ''])
  await anvil.mine(100)
  await using server = await inFrontOf(anvil, () => undefined)
  await using reader = readerOver(server.url)
  expect(await reader.identify(collection, { since: 1n })).toMatchObject({ name: 'Plain' })
  expect(await reader.hasToken(collection, [5n], { since: 1n })).toBe(false)
  expect(new Set(server.calls('eth_call').map(({ params }) => params[1]))).toEqual(new Set(['latest']))
})
