// @module-tag system

import { expect, onTestFinished, test } from 'vitest'
import { createLog, type Log } from '../../src/util/log.ts'
import { startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { createTestDatabase, databaseUrl } from '../database.ts'
import { startTestServer } from '../mintmark.ts'
import { createRpcServer, RpcFailure, type RpcHandler } from '../rpcServer.ts'
import { startSocketProxy } from './socketProxy.ts'

type Line = { level: string; event: string; chain?: string; err?: { stack?: string }; [field: string]: unknown }

/** Collects the log of a service with default settings, line by line. */
function collectLog(): { log: Log; lines: Line[] } {
  const lines: Line[] = []
  const log = createLog({
    level: 'info',
    mask: (text) => text,
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  })
  return { log, lines }
}

const reported = (lines: readonly Line[]) => lines.map(({ level, event }) => `${level} ${event}`)

test('default: a start logs little, and a database outage logs one line when it begins and one when it ends', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  const contract = await anvil.deploy(plain721, ['Seen', 'SEE', ''])
  await anvil.send({ to: contract, abi: plain721.abi, functionName: 'mint', args: [anvil.accounts[0]!, 1n] })
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const proxy = await startSocketProxy(database.connection)
  const { log, lines } = collectLog()
  await using server = await startTestServer({
    rpc: [anvil.url],
    log,
    database,
    config: { databaseUrl: databaseUrl({ ...database.connection, host: proxy.folder }) },
  })
  const ready = async () => (await fetch(`${server.url}/ready`)).status
  await expect.poll(ready).toBe(200)
  await server.untilSynced(contract)
  const usual = [
    'info serving',
    'warn not ready',
    'info ready',
    'info collection indexing started',
    'info chain following started',
    'info collection synced',
  ]
  expect(reported(lines).filter((line) => !usual.includes(line))).toEqual([])

  lines.length = 0
  proxy.cut()
  await expect.poll(ready).toBe(503)
  for (let i = 0; i < 3; i++) {
    expect(await ready()).toBe(503)
    expect((await server.get(`/api/v2/nft/${contract}?chain=local&limit=${i + 1}`)).status).toBe(503)
  }
  await expect.poll(() => reported(lines)).toContain('warn database unreachable')
  proxy.mend()
  await expect.poll(() => reported(lines)).toContain('info database recovered')
  await expect.poll(ready).toBe(200)
  expect(reported(lines).sort()).toEqual([
    'info database recovered',
    'info ready',
    'warn database unreachable',
    'warn not ready',
  ])
  expect(lines.filter(({ err }) => err?.stack !== undefined)).toEqual([])
})

test('behavior: a frozen database logs one line without a stack, and stream requests return 503 in time', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const proxy = await startSocketProxy(database.connection)
  const { log, lines } = collectLog()
  await using server = await startTestServer({
    ...{ rpc: [anvil.url], log, database },
    config: { databaseUrl: databaseUrl({ ...database.connection, host: proxy.folder }) },
  })
  const ready = async () => (await fetch(`${server.url}/ready`)).status
  await expect.poll(ready).toBe(200)
  lines.length = 0
  proxy.freeze()
  for (const path of ['/streams/evm?limit=1', '/streams/evm/d9a1e8a0-0000-4000-8000-000000000000', '/settings'])
    expect([path, (await server.get(path)).status]).toEqual([path, 503])
  await expect.poll(() => reported(lines)).toContain('warn database unreachable')
  proxy.mend()
  await expect.poll(() => reported(lines)).toContain('info database recovered')
  await expect.poll(ready).toBe(200)
  expect(reported(lines).filter((line) => line.endsWith('database unreachable'))).toHaveLength(1)
  expect(lines.filter(({ err }) => err?.stack !== undefined)).toEqual([])
})

test('behavior: an unreachable node, a wrong chain and the recovery log one line each, with the same chain name', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  const contract = await anvil.deploy(plain721, ['Seen', 'SEE', ''])
  await anvil.mine(10)
  let mode: 'right' | 'away' | 'other' = 'right'
  const handler: RpcHandler = async ({ method, params }) => {
    if (mode === 'other' && method === 'eth_chainId') return '0x539'
    const response = await fetch(anvil.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await response.json()) as {
      result: unknown
      error?: { code: number; message: string; data?: unknown }
    }
    return error ? new RpcFailure(error.code, error.message, error.data) : result
  }
  let node = await createRpcServer(handler)
  const { port } = node
  onTestFinished(() => node.close())
  const { log, lines } = collectLog()
  await using server = await startTestServer({ rpc: [node.url], log })
  await server.untilSynced(contract)
  const has = (event: string) => expect.poll(() => reported(lines), { message: event }).toContain(event)

  lines.length = 0
  mode = 'away'
  await node.close()
  await has('warn rpc endpoint unreachable')
  mode = 'other'
  node = await createRpcServer(handler, { port })
  await has('error rpc endpoint serves another chain')
  await expect.poll(() => server.database.db.rows('SELECT 1 FROM chain WHERE contradicted')).toHaveLength(1)
  mode = 'right'
  await has('info rpc endpoint serves the right chain again')
  await server.untilSynced(contract)

  const counts = new Map<string, number>()
  for (const line of reported(lines)) counts.set(line, (counts.get(line) ?? 0) + 1)
  expect(Object.fromEntries(counts)).toMatchObject({
    'warn rpc endpoint unreachable': 1,
    'info rpc endpoint recovered': 1,
    'error rpc endpoint serves another chain': 1,
    'info rpc endpoint serves the right chain again': 1,
  })
  expect(lines.filter(({ err }) => err?.stack !== undefined)).toEqual([])
  expect(new Set(lines.flatMap(({ chain }) => chain ?? []))).toEqual(new Set(['local']))
  expect(lines.length).toBeLessThan(10)
})
