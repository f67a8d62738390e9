import Moralis from 'moralis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../anvil.ts'
import { startTestServer, type TestServer } from '../mintmark.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { startMoralis } from './startMoralis.ts'

let anvil: Anvil
let server: TestServer
let receiver: Receiver
const { Streams } = Moralis

beforeAll(async () => {
  anvil = await startAnvil()
  receiver = await startReceiver()
  server = await startTestServer({ rpc: [anvil.url], config: { outbound: { allow: ['127.0.0.1'] } } })
  await startMoralis(server)
})
afterAll(async () => {
  await server?.close()
  await receiver?.close()
  await anvil?.stop()
})

const abi = [
  {
    ...{ anonymous: false, type: 'event', name: 'Transfer' },
    inputs: [
      { indexed: true, internalType: 'address', name: 'from', type: 'address' },
      { indexed: true, internalType: 'address', name: 'to', type: 'address' },
      { indexed: true, internalType: 'uint256', name: 'tokenId', type: 'uint256' },
    ],
  },
]

const add = async (tag: string) =>
  (
    await Streams.add({
      ...{ webhookUrl: receiver.url, description: 'of a test', tag, chains: ['0x7a69'] },
      ...{ topic0: ['Transfer(address,address,uint256)'], includeContractLogs: true, abi },
      advancedOptions: [
        { topic0: 'Transfer(address,address,uint256)', filter: { gt: ['tokenId', '5'] }, includeNativeTxs: true },
      ],
    })
  ).result

test('default: a stream is created, read, changed, paused and deleted', async () => {
  const made = await add('first')
  const { id } = made
  expect(made).toMatchObject({ tag: 'first', status: 'active', webhookUrl: receiver.url, includeContractLogs: true })
  expect(made.chains.map((chain) => chain.hex)).toEqual(['0x7a69'])
  expect(made.abi).toEqual(abi)
  const read = (await Streams.getById({ id })).result
  expect(read.toJSON()).toMatchObject({ id, tag: 'first', advancedOptions: [{ filter: { gt: ['tokenId', '5'] } }] })

  const updated = (await Streams.update({ id, tag: 'second', chains: ['0x7a69'] })).result
  expect(updated).toMatchObject({ id, tag: 'second', description: 'of a test' })
  expect((await Streams.updateStatus({ id, status: 'paused' })).result.status).toBe('paused')
  expect((await Streams.getById({ id })).result.status).toBe('paused')

  expect((await Streams.delete({ id })).result.id).toBe(id)
  await expect(Streams.getById({ id })).rejects.toThrow(/Not Found\(404\)/)
})

test('default: pages through all streams to the last page', async () => {
  const ids = new Set<string>()
  for (const tag of ['a', 'b', 'c', 'd', 'e']) ids.add((await add(tag)).id)
  const found: string[] = []
  let page = await Streams.getAll({ limit: 2 })
  expect(page.pagination.total).toBe(5)
  for (;;) {
    found.push(...page.result.map((stream) => stream.id))
    if (!page.hasNext()) break
    page = await page.next()
  }
  expect(found).toHaveLength(5)
  expect(new Set(found)).toEqual(ids)
  for (const id of ids) await Streams.delete({ id })
  const none = await Streams.getAll({ limit: 100 })
  expect([none.result, none.hasNext()]).toEqual([[], false])
})

test('default: addresses are added singly and in bulk, listed by page, and removed', async () => {
  const { id } = await add('addresses')
  const addresses = anvil.accounts.slice(0, 5)
  const one = await Streams.addAddress({ id, address: addresses[0]! })
  expect(one.toJSON()).toMatchObject({ streamId: id })
  await Streams.addAddress({ id, address: addresses.slice(1) })
  const found: (string | undefined)[] = []
  let page = await Streams.getAddresses({ id, limit: 2 })
  for (;;) {
    found.push(...page.result.map(({ address }) => address?.lowercase))
    if (!page.hasNext()) break
    page = await page.next()
  }
  expect(found.toSorted()).toEqual(addresses.toSorted())
  await Streams.deleteAddress({ id, address: addresses[0]! })
  await Streams.deleteAddress({ id, address: addresses.slice(1, 3) })
  const remaining = await Streams.getAddresses({ id, limit: 100 })
  expect(remaining.result.map(({ address }) => address?.lowercase).toSorted()).toEqual(addresses.slice(3).toSorted())
  await Streams.delete({ id })
})

test('default: settings are written and read', async () => {
  const before = (await Streams.readSettings()).result
  await Streams.setSettings({ region: 'eu-central-1' })
  expect((await Streams.readSettings()).result).toEqual({ ...before, region: 'eu-central-1' })
})

test('error: an invalid stream request is rejected with the reason', async () => {
  const wrong = { webhookUrl: 'nonsense', description: '', tag: '', chains: ['0x7a69'] }
  await expect(Streams.add(wrong)).rejects.toThrow(/Bad Request\(400\): .*webhookUrl/)
  await expect(Streams.getById({ id: 'nonsense' })).rejects.toThrow(/Bad Request\(400\)/)
  await expect(Streams.getStatsById({ streamId: '00000000-0000-4000-8000-000000000000' })).rejects.toThrow(
    'Stat not found',
  )
})
