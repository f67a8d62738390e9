// @module-tag system

import { expect, test } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { keptBodies, startStreamServer } from './streamServer.ts'

test('default: an address added to a live stream gets the history from the start block of the stream', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 2 })
  const contract = await anvil.deploy(plain721, ['Later', 'LTR', ''])
  const [, first, second] = anvil.accounts
  const token = { to: contract, abi: plain721.abi }
  const mint = (to: Address, id: bigint) => anvil.send({ ...token, functionName: 'mint', args: [to, id] })
  const moved = { ...token, functionName: 'transferFrom', args: [first!, second!, 1n], from: first! } as const
  const receipts = [await mint(first!, 1n), await mint(second!, 2n), await anvil.send(moved)]
  const hashes = receipts.map(({ blockHash }) => blockHash)
  await anvil.mine(10)
  await using t = await startStreamServer(anvil.url, { chains: { local: { confirmations: 2, pollIntervalMs: 20 } } })
  const { id } = await t.create({ includeContractLogs: true, fromBlocks: { '0x7a69': '0' } })
  await t.add(id, first!)
  const head = () => anvil.rpc<{ hash: string }>('eth_getBlockByNumber', ['latest', false])
  await t.untilFollowed((await head()).hash)
  expect(await t.add(id, second!)).toBe(0n)
  await anvil.mine(10)
  await t.untilFollowed((await head()).hash)
  const reported = async () => (await keptBodies(t, id, 'confirmed')).map(({ block }) => block.hash)
  await expect.poll(reported).toHaveLength(hashes.length)
  expect((await reported()).sort()).toEqual(hashes.sort())
})
