import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startAnvil } from '../../../../test/anvil.ts'
import { adminKey, createTestApi, type TestApi } from '../../../../test/api.ts'
import { plain721 } from '../../../../test/contracts/artifacts/plain721.ts'
import { lockWaits } from '../../../../test/lockWaits.ts'
import { startTestServer, testApiKey } from '../../../../test/mintmark.ts'
import { patience } from '../../../../test/patience.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { resetChain } from '../../../service/resetChain.ts'
import { insertChain } from '../../../sync/chainStore.ts'
import type { chainSchema } from '../../admin/chains.ts'

type Shown = (typeof chainSchema)['_output']
type Page = { result: Shown[]; total: number; cursor: string | null; role: string; message: string }

const config = {
  chains: { local: { id: '0x7a69', rpc: ['http://me:word@127.0.0.1:1/a-key', 'http://127.0.0.1:1/other'] } },
}

let t: TestApi
beforeAll(async () => {
  t = await createTestApi({ config })
})
afterAll(() => t.drop())

async function send(method: string, path: string, body?: unknown, to = t) {
  const response = await to.api.request(
    new Request(`http://localhost${path}`, {
      method,
      headers: { 'x-api-key': adminKey },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  expect(text).not.toMatch(/word|a-key/)
  return { status: response.status, body: JSON.parse(text) as Page & Record<string, unknown> }
}

test('default: lists chains by id, with the host and state of each node but not its URL', async () => {
  await insertChain(t.db, 31_337n, `0x${'1'.repeat(64)}`, 1_000n, 900n)
  await insertChain(t.db, 137n, `0x${'2'.repeat(64)}`, 50n, 40n)
  await insertChain(t.db, 4_242n, `0x${'3'.repeat(64)}`, 7n, 7n)
  const { body } = await send('GET', '/admin/chains')
  expect(body).toMatchObject({ role: 'all', total: 3, cursor: null })
  expect(body.result.map(({ chain, id }) => [chain, id])).toEqual([
    ['polygon', '0x89'],
    ['0x1092', '0x1092'],
    ['local', '0x7a69'],
  ])
  const unasked = { state: 'unasked', calls: 0, failed: 0, averageMs: null, fault: null }
  expect(body.result[2]).toMatchObject({
    head: '1000',
    finalized: '900',
    pausedAt: null,
    collections: 0,
    streams: 0,
    endpoints: [
      { name: '127.0.0.1:1', ...unasked },
      { name: '127.0.0.1:1#2', ...unasked },
    ],
  })
  // This process has no node of the chain in its configuration, so the response has no endpoints.
  expect(body.result[1]!.endpoints).toBeNull()

  const first = (await send('GET', '/admin/chains?limit=2')).body
  expect(first).toMatchObject({ total: 3, cursor: expect.any(String) })
  const second = (await send('GET', `/admin/chains?limit=2&cursor=${first.cursor}`)).body
  // The age of a head grows between two responses.
  const listed = (chains: { headAgeSeconds: number | null }[]) => chains.map(({ headAgeSeconds: _, ...chain }) => chain)
  expect(listed([...first.result, ...second.result])).toEqual(listed(body.result))
  expect(second.cursor).toBeNull()
})

test('behavior: a chain is paused and resumed by name or id, and the response shows whether that changed anything', async () => {
  const paused = await send('POST', '/admin/chains/local/pause')
  expect(paused).toMatchObject({
    status: 200,
    body: {
      chain: 'local',
      changed: true,
      pausedAt: expect.stringMatching(/Z$/),
      fault: expect.stringContaining('paused'),
    },
  })
  expect((await send('POST', '/admin/chains/31337/pause')).body).toMatchObject({ id: '0x7a69', changed: false })
  expect((await send('POST', '/admin/chains/0x7A69/resume')).body).toMatchObject({ changed: true, pausedAt: null })
  expect((await send('POST', '/admin/chains/local/resume')).body).toMatchObject({ changed: false, pausedAt: null })
  // A chain without stored data.
  expect((await send('POST', '/admin/chains/eth/pause')).body).toMatchObject({
    chain: 'eth',
    changed: true,
    head: null,
  })
  expect((await send('POST', '/admin/chains/eth/resume')).body).toMatchObject({ chain: 'eth', changed: true })
})

test('behavior: a preview on a paused chain gets 409 with the call that resumes the chain', async () => {
  const preview = () =>
    send('POST', '/admin/streams/preview', { chainIds: ['0x1'], allAddresses: true, includeNativeTxs: true })
  expect((await preview()).status).toBe(503)
  await send('POST', '/admin/chains/eth/pause')
  expect(await preview()).toMatchObject({
    status: 409,
    body: {
      message: 'chain 0x1 is paused: resume it first, with POST /admin/chains/0x1/resume',
    },
  })
  await send('POST', '/admin/chains/eth/resume')
  expect((await preview()).status).toBe(503)
})

test('behavior: a reset requires the chain in the confirm field, and a repeated reset gets 404', async () => {
  const reset = (confirm: unknown, chain = 'local') => send('POST', `/admin/chains/${chain}/reset`, { confirm })
  expect(await send('POST', '/admin/chains/local/reset', {})).toMatchObject({
    status: 400,
    body: { message: 'confirm is missing; allowed: text of 1 to 100 characters' },
  })
  for (const confirm of ['eth', 'yes', '', true])
    expect(await reset(confirm)).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^confirm/) } })
  expect((await t.db.rows('SELECT 1 FROM chain WHERE id = 31337')).length).toBe(1)
  const done = {
    status: 202,
    body: { id: '0x7a69', chain: 'local', done: true, collections: 0, wallets: 0, streams: 0 },
  }
  expect(await reset('0x7a69')).toEqual(done)
  expect((await t.db.rows('SELECT 1 FROM chain WHERE id = 31337')).length).toBe(0)
  expect(await reset('local')).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('there is no data') },
  })
})

test('behavior: a slow reset continues in the background, and concurrent requests get 202', async () => {
  const hurried = await createTestApi({ config, resetWaitMs: 100 })
  onTestFinished(hurried.drop)
  await insertChain(hurried.db, 31_337n, `0x${'1'.repeat(64)}`, 1_000n, 900n)
  const reset = () => send('POST', '/admin/chains/local/reset', { confirm: 'local' }, hurried)
  await hurried.db.transaction(async (tx) => {
    // Locks the row like a step of a follower, for which the reset waits.
    await tx.rows('SELECT 1 FROM chain WHERE id = 31337 FOR UPDATE')
    const answers = await Promise.all([reset(), reset()])
    const under = {
      status: 202,
      body: { id: '0x7a69', chain: 'local', done: false, collections: null, wallets: null, streams: null },
    }
    expect(answers).toEqual([under, under])
  })
  await expect.poll(async () => (await reset()).status, patience).toBe(404)
})

test('behavior: two processes that reset a chain concurrently remove it once, and it stays paused', async () => {
  const own = await createTestApi({ config })
  onTestFinished(own.drop)
  const { db } = own
  await seedCollection(db, { address: `0x${'ab'.repeat(20)}`, chainId: 31_337n })
  await send('POST', '/admin/chains/local/pause', undefined, own)
  const both = await db.transaction(async (tx) => {
    // Locks the row like a step of a follower, for which both wait.
    await tx.rows('SELECT 1 FROM chain WHERE id = 31337 FOR UPDATE')
    const route = send('POST', '/admin/chains/local/reset', { confirm: 'local' }, own)
    const command = resetChain(db, 31_337n)
    await expect.poll(() => lockWaits(db), patience).toBe(2)
    return { route, command }
  })
  const { status } = await both.route
  const reset = await both.command
  expect([status, reset]).toEqual(status === 202 ? [202, undefined] : [404, { collections: 1, wallets: 0, streams: 0 }])
  // The collection was removed once, and stays in the queue as the chain is still paused.
  expect((await db.rows('SELECT 1 FROM collection_removal')).length).toBe(1)
  const { result } = (await send('GET', '/admin/chains', undefined, own)).body
  expect(result).toMatchObject([{ chain: 'local', pausedAt: expect.any(String), collections: 1, head: null }])
})

test('error: rejects an unknown chain and a chain without a node', async () => {
  for (const [method, body] of [['pause'], ['resume'], ['reset', { confirm: 'nowhere' }]] as const) {
    const answer = await send('POST', `/admin/chains/nowhere/${method}`, body)
    expect(answer).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('there is no chain "nowhere"') },
    })
  }
  expect(await send('POST', '/admin/chains/goerli/pause')).toMatchObject({ status: 400 })
})

test('behavior: a running server shows the state of its nodes, and pauses a chain on request', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 1 })
  const contract = await anvil.deploy(plain721, ['First', 'FST', ''])
  await anvil.mine(40)
  const server = await startTestServer({ rpc: [`${anvil.url}/?key=sekret`, 'http://127.0.0.1:1/?key=sekret'] })
  try {
    await server.untilSynced(contract)
    const list = async () => {
      const text = await (await server.get('/admin/chains')).text()
      expect(text).not.toContain('sekret')
      return (JSON.parse(text) as Page).result.find(({ chain }) => chain === 'local')!
    }
    const { host } = new URL(anvil.url)
    const chain = await list()
    expect(chain).toMatchObject({ configured: true, wanted: true, held: true, collections: 1, fault: null })
    expect(chain.endpoints!.map(({ name }) => name)).toEqual([host, '127.0.0.1:1'])
    expect(chain.endpoints![0]).toMatchObject({ state: 'good', failed: 0, averageMs: expect.any(Number), fault: null })
    expect(chain.endpoints![0]!.calls).toBeGreaterThan(5)
    const answer = await fetch(`${server.url}/admin/chains/local/pause`, {
      method: 'POST',
      headers: { 'x-api-key': testApiKey },
    })
    expect(answer.status).toBe(200)
    expect((await list()).fault).toContain('paused since')
  } finally {
    await server.close()
  }
})
