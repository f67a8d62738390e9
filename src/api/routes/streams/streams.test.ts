import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../../test/api.ts'
import { createKey } from '../../../db/keys.ts'

let t: TestApi
beforeAll(async () => {
  t = await createTestApi({
    config: { chains: { local: { id: '0x7a69', rpc: ['http://127.0.0.1:1'] } }, rateLimit: { burst: 10_000 } },
  })
})
afterAll(() => t.drop())

type Answer = { status: number; body: Record<string, never> & { message: string; details: { parameter?: string } } }

async function send(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  const response = await t.api.request(
    new Request(`http://localhost${path}`, {
      method,
      headers: { 'x-api-key': adminKey, 'content-type': 'application/json', ...headers },
      ...(text === undefined ? {} : { body: text }),
    }),
  )
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

const minimal = {
  webhookUrl: 'https://receiver.example/hook',
  description: 'd',
  tag: 't',
  chainIds: ['0x7a69'],
}
const create = async (more: Record<string, unknown> = {}) =>
  (await send('PUT', '/streams/evm', { ...minimal, ...more })).body
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const one = `0x${'a1'.repeat(20)}`
const two = `0x${'B2'.repeat(20)}`

test('default: a stream is created, read, changed, paused, resumed and deleted', async () => {
  const made = await send('PUT', '/streams/evm', { ...minimal, unheardOf: 1, triggers: [], topic0: null })
  expect(made.status).toBe(200)
  expect(made.body).toMatchObject({
    ...minimal,
    id: expect.stringMatching(uuid),
    topic0: [],
    allAddresses: false,
    includeNativeTxs: false,
    includeContractLogs: false,
    includeInternalTxs: false,
    includeAllTxLogs: false,
    abi: [],
    advancedOptions: [],
    getNativeBalances: [],
    demo: false,
    status: 'active',
    statusMessage: '',
    webhookSecret: expect.stringMatching(/^whsec_.{32}$/),
    amountOfAddresses: 0,
    effectiveBlocks: { '0x7a69': '1001' },
  })
  expect(made.body).not.toHaveProperty('unheardOf')
  const { id, effectiveBlocks: _, ...stream } = made.body as Record<string, unknown>
  const path = `/streams/evm/${id}`
  expect((await send('GET', path)).body).toEqual({ id, ...stream })

  const changed = await send('POST', path, { tag: 'u', allAddresses: true, includeContractLogs: true })
  expect(changed.status).toBe(200)
  expect(changed.body).toMatchObject({
    tag: 'u',
    description: 'd',
    allAddresses: true,
    effectiveBlocks: { '0x7a69': '1001' },
  })

  const effective = { effectiveBlocks: { '0x7a69': '1001' } }
  const setStatus = (body: object) => send('POST', `${path}/status`, body)
  expect((await setStatus({ status: 'paused' })).body).toMatchObject({ id, status: 'paused', ...effective })
  expect((await setStatus({ status: 'paused', resumeFrom: 'now' })).status).toBe(400)
  expect((await setStatus({ status: 'active', resumeFrom: 'then' })).status).toBe(400)
  const fromBlocks = { '0x7a69': '99' }
  for (const more of [{ status: 'paused' }, { resumeFrom: 'now' }, { fromBlocks: { '0x1': '1' } }, {}])
    expect(await setStatus({ status: 'active', fromBlocks, ...more })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^fromBlocks/) },
    })
  expect((await setStatus({ status: 'active', resumeFrom: 'now' })).body).toMatchObject({ id, ...effective })
  expect((await send('DELETE', path, {})).body).toMatchObject({ id, tag: 'u' })
  expect((await send('GET', path)).status).toBe(404)
  expect((await send('POST', `${path}/address`, { address: one })).status).toBe(404)
})

test('behavior: addresses are added once in any spelling, listed, and removed', async () => {
  const { id } = await create()
  const path = `/streams/evm/${id}/address`
  const added = await send('POST', path, { address: [one, two, one.toUpperCase().replace('0X', '0x')] })
  expect(added).toMatchObject({ status: 200, body: { streamId: id, effectiveBlocks: { '0x7a69': '1001' } } })
  expect((await send('POST', path, { address: two })).body).toMatchObject({ streamId: id, address: two })
  expect((await send('GET', `/streams/evm/${id}`)).body).toMatchObject({ amountOfAddresses: 2 })
  const listed = await send('GET', path)
  expect(listed.body).toEqual({
    result: [{ address: one }, { address: two.toLowerCase() }],
    total: 2,
    cursor: null,
    page: 0,
    page_size: 100,
  })
  expect((await send('DELETE', path, { address: two })).status).toBe(200)
  expect((await send('GET', path)).body).toMatchObject({ result: [{ address: one }], total: 1 })
})

test('behavior: paging through a list returns each item once, and its totals end paging in published clients', async () => {
  const { id } = await create()
  const addresses = Array.from({ length: 205 }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`)
  await send('POST', `/streams/evm/${id}/address`, { address: addresses })
  const walk = async (path: string) => {
    const seen: Record<string, string>[] = []
    for (let cursor = '', page = 0; ; page++) {
      const { body } = await send('GET', `${path}?limit=40${cursor && `&cursor=${cursor}`}`)
      const list = body as unknown as {
        result: Record<string, string>[]
        total: number
        cursor: string | null
        page: number
        page_size: number
      }
      expect([list.page, list.page_size]).toEqual([page, 40])
      seen.push(...list.result)
      // The condition of the published client's hasNext().
      expect(list.cursor !== null).toBe(list.cursor !== null || list.total > list.page_size * (list.page + 1))
      if (list.cursor === null) return seen
      cursor = list.cursor
    }
  }
  expect((await walk(`/streams/evm/${id}/address`)).map(({ address }) => address)).toEqual(addresses)
  const before = (await walk('/streams/evm')).length
  for (let i = 0; i < 45; i++) await create({ tag: `of a list ${i}` })
  const streams = await walk('/streams/evm')
  expect(streams.length).toBe(before + 45)
  expect(new Set(streams.map((stream) => stream.id)).size).toBe(streams.length)
  const other = await create()
  const { body } = await send('GET', `/streams/evm/${id}/address?limit=1`)
  const foreign = await send('GET', `/streams/evm/${other.id}/address?cursor=${body.cursor}`)
  expect(foreign).toMatchObject({ status: 400, body: { details: { parameter: 'cursor' } } })
})

const transfer = {
  type: 'event',
  name: 'Transfer',
  inputs: [
    { name: 'from', type: 'address', indexed: true },
    { name: 'to', type: 'address', indexed: true },
    { name: 'value', type: 'uint256', indexed: false },
  ],
}
const signature = 'Transfer(address,address,uint256)'

test.each<[string, Record<string, unknown>, string, RegExp]>([
  ['triggers', { triggers: [{ type: 'tx' }] }, 'triggers', /not supported yet/],
  ['no address', { webhookUrl: 'nowhere' }, 'webhookUrl', /https/],
  ['another scheme', { webhookUrl: 'ftp://x' }, 'webhookUrl', /https/],
  ['a password', { webhookUrl: 'https://a:b@x.example/' }, 'webhookUrl', /password.*never sent/],
  ['no chain', { chainIds: [] }, 'chainIds', /is empty; allowed: 1 to 100 chain ids such as 0x1$/],
  ['no chain id', { chainIds: ['eth'] }, 'chainIds[0]', /is "eth"; allowed: a chain id such as 0x1$/],
  ['an unknown chain', { chainIds: ['0x7777'] }, 'chainIds', /0x7777.*no node.*0x7a69/],
  ['no event', { topic0: ['Transfer'] }, 'topic0[0]', /not an event/],
  ['an event that abi has not', { topic0: ['Foo(uint256)'], abi: [transfer] }, 'topic0[0]', /not an event of abi/],
  [
    'a filter without abi',
    { advancedOptions: [{ topic0: signature, filter: { eq: ['value', '1'] } }] },
    'advancedOptions[0].filter',
    /abi/,
  ],
  [
    'a filter of one part',
    { abi: [transfer], advancedOptions: [{ topic0: signature, filter: { and: [{ eq: ['value', '1'] }] } }] },
    'advancedOptions[0].filter.and',
    /two parts/,
  ],
  [
    'an option for an event that topic0 has not',
    { topic0: ['A()'], advancedOptions: [{ topic0: signature }] },
    'advancedOptions[0].topic0',
    /topic0 does not contain/,
  ],
  [
    'a balance of nothing',
    { getNativeBalances: [{ selectors: ['$from'], type: 'constructor' }] },
    'getNativeBalances[0].type',
    /tx/,
  ],
  ['a wrong type', { allAddresses: 'yes' }, 'allAddresses', /is text; allowed: true or false$/],
  ['history of another chain', { fromBlocks: { '0x1': '5' } }, 'fromBlocks', /not among chainIds/],
  [
    'history of no chain',
    { fromBlocks: { mainnet: '5' } },
    'fromBlocks',
    /"mainnet"; allowed: a chain id such as 0x1$/,
  ],
  ['history from no block', { fromBlocks: { '0x7a69': 'first' } }, 'fromBlocks.0x7a69', /block number/],
])('error: rejects %s, and names the field', async (_, body, parameter, message) => {
  const answer = await send('PUT', '/streams/evm', { ...minimal, ...body })
  expect(answer).toMatchObject({ status: 400, body: { statusCode: 400, details: { parameter } } })
  expect(answer.body.message).toMatch(message)
  expect(answer.body.message.startsWith(parameter)).toBe(true)
})

test.each<[string, string | undefined, RegExp]>([
  ['no body', undefined, /body is missing/],
  ['no JSON', '{"tag": ', /^the body is not JSON from position 8 on; allowed: a JSON object$/],
  ['no object', '[]', /^the body is a list; allowed: a JSON object$/],
  ['nesting without end', `{"abi":${'['.repeat(10_000)}`, /too deep at position \d+; allowed: at most 64 levels/],
])('error: rejects %s as a body', async (_, body, message) => {
  const answer = await send('PUT', '/streams/evm', body)
  expect(answer.status).toBe(400)
  expect(answer.body.message).toMatch(message)
})

test('error: an oversized body is rejected while it arrives, also without a Content-Length', async () => {
  const long = JSON.stringify({ ...minimal, description: 'x'.repeat(1_100_000) })
  expect((await send('PUT', '/streams/evm', long)).status).toBe(413)
  let sent = 0
  const endless = new ReadableStream({
    pull(controller) {
      sent += 65_536
      controller.enqueue(new Uint8Array(65_536).fill(32))
    },
  })
  const response = await t.api.request(
    new Request('http://localhost/streams/evm', {
      method: 'PUT',
      headers: { 'x-api-key': adminKey },
      body: endless,
      duplex: 'half',
    } as RequestInit),
  )
  expect(response.status).toBe(413)
  expect(sent).toBeLessThan(2_000_000)
})

test('behavior: a hundred thousand addresses fit in one request', async () => {
  const { id } = await create()
  const address = Array.from({ length: 100_000 }, (_, i) => `0x${(i + 7).toString(16).padStart(40, '0')}`)
  expect((await send('POST', `/streams/evm/${id}/address`, { address })).status).toBe(200)
  expect((await send('GET', `/streams/evm/${id}`)).body).toMatchObject({ amountOfAddresses: 100_000 })
})

test('error: rejects wrong addresses, statuses, ids and keys', async () => {
  const { id } = await create()
  const path = `/streams/evm/${id}`
  expect(await send('POST', `${path}/address`, { address: '0x12' })).toMatchObject({ status: 400 })
  expect(await send('POST', `${path}/address`, { address: 5 })).toMatchObject({ status: 400 })
  expect(await send('POST', `${path}/status`, { status: 'asleep' })).toMatchObject({ status: 400 })
  expect(await send('GET', '/streams/evm/none')).toMatchObject({ status: 400 })
  expect(await send('GET', '/streams/evm/00000000-0000-4000-8000-000000000000')).toMatchObject({ status: 404 })
  expect(await send('GET', path, undefined, { 'x-api-key': 'wrong' })).toMatchObject({ status: 401 })
  const { key } = await createKey(t.db, { name: 'reader', access: 'read' })
  expect(await send('GET', path, undefined, { 'x-api-key': key })).toMatchObject({ status: 403 })
})
