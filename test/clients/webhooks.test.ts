import Moralis from 'moralis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demo721 } from '../../src/cli/demo/contracts/demo721.artifact.ts'
import type { Address } from '../../src/util/hex.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { startTestServer, type TestServer } from '../mintmark.ts'
import { type Received, type Receiver, startReceiver } from '../receiver.ts'
import { readWebhook } from './examples/readWebhook.ts'
import { startMoralis } from './startMoralis.ts'

let anvil: Anvil
let server: TestServer
let receiver: Receiver
let tiles: Address
let status = 200
const { Streams } = Moralis

beforeAll(async () => {
  anvil = await startAnvil()
  tiles = await anvil.deploy(demo721, [])
  receiver = await startReceiver(() => status)
  server = await startTestServer({
    rpc: [anvil.url],
    config: {
      outbound: { allow: ['127.0.0.1'] },
      webhooks: { retryDelaysMs: [] },
      chains: { local: { confirmations: 1, pollIntervalMs: 20 } },
    },
  })
  await startMoralis(server)
  // The package's types do not declare this field.
  const { secretKey } = (await Streams.readSettings()).result as { secretKey: string }
  Moralis.Core.config.set('streamsSecret', secretKey)
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

type TransferLog = { from: string; to: string; tokenId: { toString(): string } }

const read = ({ body, headers }: Received) => readWebhook<TransferLog>(body, String(headers['x-signature']))

async function addStream(tag: string): Promise<string> {
  const { id } = (
    await Streams.add({
      ...{ webhookUrl: `${receiver.url}/${tag}`, description: 'mints', tag, chains: ['0x7a69'], abi },
      ...{ topic0: ['Transfer(address,address,uint256)'], includeContractLogs: true, includeNativeTxs: true },
    })
  ).result
  await Streams.addAddress({ id, address: tiles })
  return id
}

/** Mints some tokens, then mines two blocks so that the mint is confirmed. */
async function mint(first: bigint, count: bigint): Promise<void> {
  const to = [anvil.accounts[1]!]
  await anvil.send({ to: tiles, abi: demo721.abi, functionName: 'mintBatch', args: [to, first, count] })
  await anvil.mine(2)
}

const statsOf = async (streamId: string) => (await Streams.getStatsById({ streamId })).result

const of = (tag: string) => receiver.received.filter(({ path }) => path === `/${tag}`)

test('default: a delivered webhook is verified, parsed and read', async () => {
  const id = await addStream('read')
  await mint(1n, 3n)
  await receiver.until(() => of('read').length === 3)
  const [first, ...delivered] = of('read') as [Received, ...Received[]]
  expect(read(first).result.streamId).toBe('')
  expect(delivered.map((one) => read(one).result.confirmed)).toEqual([false, true])
  for (const one of delivered) {
    const { result, logs } = read(one)
    expect(result).toMatchObject({ streamId: id, tag: 'read', retries: 0 })
    expect(result.chain.hex).toBe('0x7a69')
    expect(result.txs).toHaveLength(1)
    expect(result.nftTransfers.map((transfer) => [transfer.tokenId, transfer.to.lowercase])).toEqual(
      ['1', '2', '3'].map((tokenId) => [tokenId, anvil.accounts[1]]),
    )
    expect(logs.map((log) => [Number(log.from), log.to.toLowerCase(), log.tokenId.toString()])).toEqual(
      ['1', '2', '3'].map((tokenId) => [0, anvil.accounts[1], tokenId]),
    )
  }
  await expect.poll(() => statsOf(id)).toMatchObject({ totalWebhooksDelivered: 2, totalLogsProcessed: 3 })
  await Streams.delete({ id })
})

test('error: a changed body fails verification', async () => {
  const { body, headers } = receiver.received.at(-1)!
  const webhook = { ...JSON.parse(body), tag: 'forged' }
  const signature = String(headers['x-signature'])
  expect(() => Streams.verifySignature({ body: webhook, signature })).toThrow('Signature is not valid')
})

test('default: history, logs and statistics report failed webhooks, and retry sends one webhook again', async () => {
  const id = await addStream('failing')
  status = 500
  await mint(10n, 2n)
  await receiver.until(() => of('failing').length === 3)
  await expect
    .poll(() => statsOf(id))
    .toMatchObject({ totalWebhooksDelivered: 0, totalWebhooksFailed: 2, totalLogsProcessed: 2 })

  const pages = [await Streams.getHistory({ limit: 1, excludePayload: false })]
  while (pages.at(-1)!.hasNext()) pages.push(await pages.at(-1)!.next())
  const items = pages.flatMap((page) => page.result).filter((item) => item.streamId === id)
  expect(items).toMatchObject(
    [true, false].map((confirmed) => ({
      ...{ tag: 'failing', webhookUrl: `${receiver.url}/failing`, errorMessage: expect.stringMatching('500') },
      ...{ payload: { confirmed, streamId: id }, tinyPayload: { confirmed, chainId: '0x7a69', records: 3 } },
    })),
  )
  const bare = await Streams.getHistory({ limit: 2, excludePayload: true })
  expect(bare.result.map((item) => item.payload)).toEqual([undefined, undefined])

  status = 200
  const [confirmed] = items as [(typeof items)[number]]
  await Streams.retry({ streamId: id, id: confirmed.id })
  await receiver.until(() => of('failing').length === 4)
  expect(of('failing').at(-1)!.headers['webhook-id']).toBe(confirmed.id)
  expect(read(of('failing').at(-1)!).result).toMatchObject({ confirmed: true, streamId: id, retries: 0 })
  await expect
    .poll(() => statsOf(id))
    .toMatchObject({ totalWebhooksDelivered: 1, totalWebhooksFailed: 2, totalLogsProcessed: 2 })

  const logs = [await Streams.getLogs({ limit: 2 })]
  while (logs.at(-1)!.hasNext()) logs.push(await logs.at(-1)!.next())
  const attempts = logs.flatMap((page) => page.result).filter((log) => log.streamId === id)
  expect(attempts.map((log) => [log.deliveryStatus, log.chain.hex, log.type, log.tag])).toEqual(
    ['success', 'failed', 'failed'].map((outcome) => [outcome, '0x7a69', 'evm', 'failing']),
  )
  const all = (await Streams.getStats()).result
  expect(all).toMatchObject({ totalWebhooksDelivered: 3, totalWebhooksFailed: 2 })
  expect(all.streams?.map((one) => one.streamId)).toContain(id)
})
