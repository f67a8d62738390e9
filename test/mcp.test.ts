import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiServer } from '../src/api/http/server.ts'
import { createKey } from '../src/db/keys.ts'
import type { Address } from '../src/util/hex.ts'
import { adminKey, createTestApi, type TestApi } from './api.ts'
import { commandEnv } from './commandEnv.ts'
import { runCommand } from './commandLine.ts'
import { seedCoins, seededCoin } from './seedCoins.ts'
import { seedCollection } from './seedCollection.ts'

const address: Address = `0x${'ab'.repeat(20)}`
let api: TestApi
let server: ApiServer
let readKey: string

beforeAll(async () => {
  api = await createTestApi()
  server = await api.api.listen({ host: '127.0.0.1', port: 0 })
  readKey = (await createKey(api.db, { name: 'assistant', access: 'read' })).key
  await seedCollection(api.db, { address, tokens: Array.from({ length: 300 }, (_, i) => BigInt(i)) })
  await seedCoins(api.db, { coins: Array.from({ length: 21 }, (_, i) => seededCoin(i)), from: 0n, to: 30n })
})
afterAll(async () => {
  await server.close()
  await api.drop()
})

type Page = { result: unknown[]; cursor: string | null }
type Called = { content: { type: string; text: string }[]; isError?: boolean }

async function connect(transport: StreamableHTTPClientTransport | StdioClientTransport): Promise<Client> {
  const client = new Client({ name: 'test', version: '0' })
  // The package's types require a session id, which is absent without sessions.
  await client.connect(transport as Parameters<Client['connect']>[0])
  return client
}

const post = (message: unknown) =>
  fetch(`${server.url}/mcp`, {
    ...{ method: 'POST', headers: { 'x-api-key': readKey, 'content-type': 'application/json' } },
    body: JSON.stringify(message),
  })

const overHttp = (key: string, query = '') =>
  connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp${query}`), {
      requestInit: { headers: { 'x-api-key': key } },
    }),
  )

const overStdio = (key: string, ...args: string[]) =>
  connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['src/main.ts', 'mcp', '--url', server.url, ...args],
      env: { PATH: commandEnv.PATH, MINTMARK_API_KEY: key },
      stderr: 'pipe',
    }),
  )

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<Called & { json(): Page }> {
  const called = (await client.callTool({ name, arguments: args })) as Called
  return { ...called, json: () => JSON.parse(called.content[0]!.text) }
}

test('behavior: an MCP client that closes its input after a call gets the response', async () => {
  const message = (method: string, rest: object) => JSON.stringify({ jsonrpc: '2.0', method, ...rest })
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } }
  const child = spawn(process.execPath, ['src/main.ts', 'mcp', '--url', server.url], {
    env: { PATH: commandEnv.PATH, MINTMARK_API_KEY: readKey },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.end(
    [
      message('initialize', { id: 1, params: hello }),
      message('notifications/initialized', {}),
      message('tools/call', { id: 2, params: { name: 'getContractNFTs', arguments: { address, chain: 'eth' } } }),
      '',
    ].join('\n'),
  )
  const answers = (await text(child.stdout))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(answers.map(({ id }) => id)).toEqual([1, 2])
  expect(JSON.parse(answers[1].result.content[0].text).result).toHaveLength(20)
})

test.each([
  ['over HTTP', () => overHttp(readKey)],
  ['over stdio', () => overStdio(readKey)],
])('default: %s the read operations are MCP tools, and return the same as the API', async (_, open) => {
  const client = await open()
  try {
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['getContractNFTs', 'getWalletNFTs', 'getCoinSupply', 'getMultipleNFTs']),
    )
    expect(names.filter((name) => /create|delete|key|Stream$|overview|sync|export|listen/i.test(name))).toEqual([])
    for (const { annotations, inputSchema, name } of tools) {
      expect(annotations, name).toMatchObject({ readOnlyHint: true })
      expect(JSON.stringify(inputSchema), name).not.toContain('$ref')
      for (const parameter of Object.keys(inputSchema.properties ?? {})) expect(parameter).toMatch(/^[\w.-]{1,64}$/)
      const { limit } = (inputSchema.properties ?? {}) as { limit?: { default: number } }
      expect(limit?.default ?? 20, name).toBe(20)
    }
    const page = (await call(client, 'getContractNFTs', { address, chain: 'eth' })).json()
    expect(page.result).toHaveLength(20)
    const next = (await call(client, 'getContractNFTs', { address, chain: 'eth', cursor: page.cursor })).json()
    expect(next).toMatchObject({ page: 1, page_size: 20 })
    const coins = (await call(client, 'getLatestCoins', {})).json()
    expect(coins.result).toHaveLength(20)
    expect((await call(client, 'getLatestCoins', { cursor: coins.cursor })).json().result).toHaveLength(1)
    const several = await call(client, 'getMultipleNFTs', {
      body: { tokens: [{ token_address: address, token_id: '7' }] },
    })
    expect(several.json()).toMatchObject([{ token_id: '7' }])
    expect((await call(client, 'getContractNFTs', { address, limit: 500 })).content[0]!.text).toContain('1 to 100')
    expect(await call(client, 'getContractNFTs', { address: 'x', adress: 'y' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('adress: no such argument; allowed: address, chain') }],
    })
    expect((await call(client, 'getContractNFTs', { address: '../../key' })).content[0]!.text).toContain('address is')
    // Over HTTP, the message itself is rejected.
    for (const text of ['a\0b', 'a\ud800b'])
      expect(await call(client, 'getContractNFTs', { address: text }).catch(() => ({ isError: true }))).toMatchObject({
        isError: true,
      })
    expect(await call(client, 'getContractNFTs', {})).toMatchObject({ isError: true })
    expect(await call(client, 'createKey', {})).toMatchObject({ isError: true })
  } finally {
    await client.close()
  }
})

test.each([
  [{ name: 'getLatestCoins', arguments: null }, 'params.arguments is not an object'],
  [{ name: 'getLatestCoins', arguments: [] }, 'params.arguments is not an object'],
  [{ arguments: {} }, 'params.name is not a text'],
  [undefined, 'params.name is not a text'],
])('error: a tool call with the params %j is an error of JSON-RPC with a sentence', async (params, message) => {
  const answer = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  expect(await answer.json()).toEqual({
    ...{ jsonrpc: '2.0', id: 1 },
    error: { code: -32602, message: expect.stringMatching(new RegExp(`^${message}; allowed: [^"{}]+$`)) },
  })
})

test('error: unknown MCP methods and empty batches are rejected', async () => {
  const answer = await post({ jsonrpc: '2.0', id: 1, method: 'tools/show' })
  expect(await answer.json()).toMatchObject({ error: { code: -32601, message: 'Method not found' } })
  const empty = await post([])
  expect([empty.status, await empty.json()]).toMatchObject([
    400,
    { message: expect.stringContaining('the body is an empty list') },
  ])
})

test('behavior: a response that is too long is rejected with advice to use a smaller limit', async () => {
  const client = await overHttp(readKey)
  const answer = await call(client, 'getContractNFTs', { address, limit: 100 })
  const length = answer.content[0]!.text.length
  expect(length).toBeLessThanOrEqual(60_000)
  await api.db.run(`UPDATE collection SET name = repeat('x', 10000)`)
  await api.db.run('UPDATE collection SET version = version + 1')
  await expect
    .poll(async () => (await call(client, 'getContractNFTs', { address, limit: 100 })).content[0]!.text)
    .toContain('smaller limit')
  await client.close()
})

test('behavior: only an admin key with the admin option gets the admin operations as tools', async () => {
  const client = await overHttp(adminKey, '?admin=true')
  const { tools } = await client.listTools()
  const annotationsOf = (of: string) => tools.find(({ name }) => name === of)?.annotations
  for (const name of ['deleteStream', 'resetChain', 'reindexCollection'])
    expect(annotationsOf(name), name).toMatchObject({ readOnlyHint: false, destructiveHint: true })
  expect(annotationsOf('pauseChain')).toMatchObject({ readOnlyHint: false, destructiveHint: false })
  expect((await call(client, 'listKeys', {})).json()).toMatchObject({ result: expect.any(Array) })
  await client.close()
  expect((await (await overHttp(adminKey)).listTools()).tools.map(({ name }) => name)).not.toContain('listKeys')
  await expect(overHttp(readKey, '?admin=true')).rejects.toThrow(/admin key/)
  await expect(overHttp('none')).rejects.toThrow(/API key/)
})

test('error: the mcp command reports each problem in one line', async () => {
  const run = (...args: string[]) => runCommand(['mcp', ...args])
  expect(await run('--url', server.url, '--key', 'wrong')).toMatchObject({
    ...{
      code: 1,
      out: '',
      err: expect.stringMatching(/^mintmark: the server at \S+ does not accept the API key \(401\)\n$/),
    },
  })
  expect(await run('--url', server.url, '--key', readKey, '--admin')).toMatchObject({
    ...{ code: 1, err: expect.stringContaining('--admin needs an admin key') },
  })
  expect(await run('--url', 'http://127.0.0.1:9', '--key', 'x')).toMatchObject({
    ...{ code: 1, err: expect.stringContaining('no server responds at http://127.0.0.1:9') },
  })
})
