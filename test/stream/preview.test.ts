// @module-tag system

import { parseAbi, toHex } from 'viem'
import { expect, inject, test } from 'vitest'
import { createKey } from '../../src/db/keys.ts'
import type { StreamPreview } from '../../src/stream/query.ts'
import type { Address } from '../../src/util/hex.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { inFrontOf } from '../contractReader.ts'
import { plain20 } from '../contracts/artifacts/plain20.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { forwarder } from '../contracts/forwarder.ts'
import { testApiKey } from '../mintmark.ts'
import { readTables } from '../operations/readTables.ts'
import { createRandom, freshSeed } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { startReceiver } from '../receiver.ts'
import { createRpcServer, RpcFailure } from '../rpcServer.ts'
import { type Body, startStreamServer } from './streamServer.ts'

const confirmations = 3
const settings = { chains: { local: { confirmations, pollIntervalMs: 20 } } }
const path = '/admin/streams/preview'

async function request(url: string, body: object, key = testApiKey) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'x-api-key': key },
    body: JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as { message: string } }
}

/** Calls a contract that forwards value to an account, as an internal transaction. */
const payment = (to: Address, by: Address, value: bigint) => ({ to: by, value, data: toHex(BigInt(to), { size: 32 }) })

test('behavior: a preview has the same webhooks that the stream gets for these blocks after its creation', {
  repeats: inject('rounds') - 1,
}, async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  const [alice, bob] = anvil.accounts as [Address, Address]
  const nft = await anvil.deploy(plain721, ['Seven', 'SVN', ''])
  const many = await anvil.deploy(plain1155, ['Many', 'MNY'])
  const coin = await anvil.deploy(plain20, [])
  const outer = await anvil.deploy(forwarder, [])
  const activity = { erc721: [nft], erc1155: [many] }
  await randomActivity(anvil, activity, random, 4 + random.int(6))
  for (let i = 0; i < 4; i++) {
    await anvil.send({ to: coin, abi: plain20.abi, functionName: 'mint', args: [random.pick([alice, bob]), 5n] })
    await anvil.sendRaw(payment(bob, outer, BigInt(random.int(3))))
  }
  await randomActivity(anvil, activity, random, 4 + random.int(6))
  await using receiver = await startReceiver()
  await using t = await startStreamServer(anvil.url, settings)
  const head = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', ['latest', false])
  // Once the chain is followed up to its head, all previewed blocks are history for streams that are created later.
  await t.create({ includeNativeTxs: true })
  await t.untilFollowed(head.hash)

  const transfer = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
  const topic0 = ['Transfer(address,address,uint256)']
  const definitions: { definition: Record<string, unknown>; addresses?: Address[] }[] = [
    { definition: { allAddresses: true, includeContractLogs: true, includeNativeTxs: true } },
    { definition: { includeContractLogs: true, includeAllTxLogs: true }, addresses: [random.pick([nft, many]), coin] },
    { definition: { includeNativeTxs: true, includeInternalTxs: true, confirmedOnly: true }, addresses: [bob, outer] },
    {
      definition: {
        allAddresses: true,
        includeContractLogs: true,
        topic0,
        abi: transfer,
        advancedOptions: [{ topic0: topic0[0], filter: { gt: ['value', '4'] }, includeNativeTxs: true }],
        getNativeBalances: [{ selectors: ['$from', '$to'], type: 'erc20transfer' }],
      },
    },
  ]
  const made: { id: string; before: StreamPreview; after: StreamPreview }[] = []
  for (const { definition, addresses = [] } of definitions) {
    const body = { ...definition, tag: 'a "quoted" tag', chainIds: ['0x7a69'], blocks: 12 + random.int(9) }
    const before = await t.call<StreamPreview>('POST', path, { ...body, addresses })
    const fromBlocks = { '0x7a69': before.fromBlock }
    const stream = await t.create({ ...body, fromBlocks, webhookUrl: `${receiver.url}/${made.length}` })
    if (addresses.length > 0) await t.add(stream.id, addresses)
    // The preview takes only the id and the addresses of the stored stream.
    const after = await t.call<StreamPreview>('POST', path, { ...body, streamId: stream.id })
    made.push({ id: stream.id, before, after })
  }
  await t.untilFollowed(head.hash)
  await anvil.mine(confirmations)

  for (const [i, { id, before, after }] of made.entries()) {
    expect(after).toEqual({
      ...before,
      samples: before.samples.map((sample) => ({ ...sample, streamId: id })),
    })
    expect(before).toMatchObject({ cutShort: [], toBlock: String(await anvil.blockNumber().then((n) => n - 3n)) })
    const got = () => {
      const first = new Map<bigint, string>()
      for (const { path: at, body } of receiver.received) {
        const { block, streamId } = JSON.parse(body) as Body
        if (at !== `/${i}` || streamId === '') continue
        const number = BigInt(block.number)
        if (number <= BigInt(before.toBlock) && !first.has(number)) first.set(number, body)
      }
      return [...first].sort(([a], [b]) => Number(b - a)).map(([, body]) => body)
    }
    await receiver.until(() => got().length >= after.samples.length)
    expect(got()).toEqual(after.samples.map((sample) => JSON.stringify(sample)))
    const sum = (list: string) => after.samples.reduce((n, sample) => n + (sample[list] as unknown[]).length, 0)
    expect(after.matched).toEqual({
      blocks: after.samples.length,
      webhooks: after.samples.length,
      ...{ logs: sum('logs'), txs: sum('txs'), txsInternal: sum('txsInternal') },
      ...{ erc20Transfers: sum('erc20Transfers'), nftTransfers: sum('nftTransfers') },
    })
  }
})

/** Mines this many blocks with one transfer of value each. */
async function pay(anvil: Anvil, times: number): Promise<void> {
  const [alice, bob] = anvil.accounts as [Address, Address]
  await anvil.setAutomine(false)
  for (let i = 0; i < times; i++) {
    await anvil.submitAll([{ from: alice, to: bob, value: 1n }])
    await anvil.mine()
  }
  await anvil.setAutomine(true)
}

const payments = { chainIds: ['0x7a69'], allAddresses: true, includeNativeTxs: true }

test('behavior: a preview stores nothing, and its webhooks show which would be confirmed', async () => {
  await using anvil = await startAnvil()
  await pay(anvil, 6)
  await using t = await startStreamServer(anvil.url, { ...settings, role: 'api' })
  const stream = await t.create({ includeNativeTxs: true, webhookUrl: 'https://shop.example/' })
  await t.add(stream.id, anvil.accounts[1]!)
  const before = await readTables(t.db)
  expect(await t.call('POST', path, payments)).toEqual({
    ...{ chainId: '0x7a69', fromBlock: '0', toBlock: '6', blocks: 7, cutShort: [] },
    matched: { blocks: 6, webhooks: 6, logs: 0, txs: 6, txsInternal: 0, erc20Transfers: 0, nftTransfers: 0 },
    samples: [6, 5, 4, 3, 2, 1].map((number) =>
      expect.objectContaining({
        confirmed: number <= 6 - confirmations,
        block: expect.objectContaining({ number: String(number) }),
      }),
    ),
  })
  const own = { chainIds: ['0x7a69'], includeNativeTxs: true, streamId: stream.id.toUpperCase(), blocks: 2 }
  expect(await t.call('POST', path, own)).toMatchObject({ blocks: 2, matched: { txs: 2 }, cutShort: [] })
  expect(await readTables(t.db)).toEqual(before)
})

test('behavior: a preview ends above a block that the node cannot return, and reports only the host of the node', async () => {
  await using anvil = await startAnvil()
  await pay(anvil, 15)
  await using node = await inFrontOf(anvil, ({ params: [block, full] }) =>
    full === true && [missing, '0xa'].includes(block as string)
      ? new RpcFailure(-32601, 'the method is not available')
      : undefined,
  )
  const { hash: missing } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', ['0xa', false])
  await using t = await startStreamServer(`${node.url}/secret-path`, { ...settings, role: 'api' })
  const reported = await t.call<StreamPreview>('POST', path, payments)
  expect(reported).toMatchObject({ fromBlock: '11', toBlock: '15', blocks: 5, matched: { webhooks: 5, txs: 5 } })
  expect(reported.cutShort).toEqual([
    { reason: 'node', message: expect.stringMatching(/^block 10 cannot be read: .*127\.0\.0\.1/) },
  ])
  expect(JSON.stringify(reported)).not.toContain('secret-path')
})

test('behavior: a preview ends at a block that would pause the stream, and returns 409 if that is the first block', async () => {
  await using anvil = await startAnvil()
  await pay(anvil, 4)
  let strange = '0x2'
  await using node = await inFrontOf(anvil, async ({ method, params }) => {
    if (method !== 'eth_getBlockByHash' || params[1] !== true) return undefined
    const block = await anvil.rpc<{ number: string; transactions: object[] }>(method, params)
    if (block.number !== strange) return block
    return { ...block, transactions: block.transactions.map((transaction) => ({ ...transaction, nonce: 'zz' })) }
  })
  await using t = await startStreamServer(node.url, { ...settings, role: 'api' })
  const message = expect.stringMatching(/^the stream would be paused at block \d: .*zz/)
  expect(await t.call('POST', path, payments)).toMatchObject({
    ...{ fromBlock: '3', blocks: 2, matched: { webhooks: 2 } },
    cutShort: [{ reason: 'stream', message }],
  })
  strange = '0x4'
  expect(await request(t.server.url, payments)).toMatchObject({ status: 409, body: { message } })
})

test('error: a preview returns 503 without the node URL if no node can be queried', async () => {
  await using node = await createRpcServer(({ method }) =>
    method === 'eth_chainId' ? '0x7a69' : new RpcFailure(-32601, 'the method is not available'),
  )
  await using t = await startStreamServer(`${node.url}/secret-path`, { ...settings, role: 'api' })
  const unavailable = await request(t.server.url, payments)
  expect([unavailable.status, unavailable.headers.get('retry-after')]).toEqual([503, '2'])
  expect(unavailable.body.message).toBe(
    'no node of chain 0x7a69 can be queried at the moment, and the log shows why; retry',
  )
})

test('error: a third concurrent preview is rejected with 429 and Retry-After', async () => {
  await using anvil = await startAnvil()
  await pay(anvil, 3)
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>()
  let held = false
  await using node = await inFrontOf(anvil, ({ method }) =>
    held && method === 'eth_getBlockByHash' ? released : undefined,
  )
  await using t = await startStreamServer(node.url, { ...settings, role: 'api' })
  await t.call('POST', path, payments)
  held = true
  const waiting = [request(t.server.url, payments), request(t.server.url, payments)]
  const rejected = await Promise.race([...waiting, request(t.server.url, payments)])
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '2'])
  expect(rejected.body.message).toBe('2 previews are in progress, the maximum: retry soon')
  release(undefined)
  expect((await Promise.all(waiting)).filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  await expect.poll(async () => (await request(t.server.url, payments)).status).toBe(200)
})

test('error: a preview rejects an invalid definition with the message of stream creation, and requires an admin key', async () => {
  await using anvil = await startAnvil()
  await using t = await startStreamServer(anvil.url, { ...settings, role: 'api' })
  const { key } = await createKey(t.db, { name: 'reader', access: 'read' })
  expect((await request(t.server.url, payments, key)).status).toBe(403)
  expect((await request(t.server.url, payments, 'unknown')).status).toBe(401)
  const rejections: [object, number, string][] = [
    [{ chainIds: [] }, 400, 'chainIds is empty; allowed: 1 to 100 chain ids such as 0x1'],
    [
      { topic0: ['Transfer(addr)'] },
      400,
      'topic0[0] is "Transfer(addr)", which is not an event; allowed: Name(type,type,…) or a hash',
    ],
    [{ gzip: 'yes' }, 400, 'gzip is text; allowed: true or false'],
    [{ triggers: [{}] }, 400, 'triggers is not supported yet; allowed: none, or an empty list'],
    [
      { webhookUrl: 'ftp://a.example' },
      400,
      'webhookUrl is not an http or https URL; allowed: one that begins with https:// or http://',
    ],
    [{ headers: { host: 'a' } }, 400, 'headers.host is reserved; allowed: headers that HTTP and webhooks do not use'],
    [{ fromBlocks: { '0x5': '1' } }, 400, 'fromBlocks contains 0x5, which is not among chainIds; allowed: 0x7a69'],
    [{ addresses: ['0x12'] }, 400, 'addresses has "0x12"; allowed: addresses, 0x and 40 hex digits'],
    [{ addresses: '0x12' }, 400, 'addresses is text; allowed: a list of addresses, each 0x and 40 hex digits'],
    [{ blocks: 101 }, 400, 'blocks is 101; allowed: a whole number from 1 to 100'],
    [{ chainId: '0x1' }, 400, 'chainId is 0x1, which is not among chainIds; allowed: 0x7a69'],
    [{ streamId: 'mine' }, 400, 'streamId is "mine"; allowed: a UUID'],
    [
      { streamId: '7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f' },
      404,
      'there is no stream 7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f',
    ],
  ]
  for (const [part, status, message] of rejections) {
    const { status: got, body } = await request(t.server.url, { ...payments, ...part })
    expect([got, body.message]).toEqual([status, message])
  }
})
