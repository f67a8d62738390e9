import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { parseConfig } from '../../config/config.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import { noopLog } from '../../util/log.ts'
import { startServer } from '../http/server.ts'
import { wireRoutes } from '../http/wireRoutes.ts'
import { mcpRoutes } from './mcp.ts'

const document = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('behavior: a client that disconnects during a batch ends its running calls, and no further call starts', async () => {
  const client = new AbortController()
  const started: AbortSignal[] = []
  const aborted: Promise<unknown>[] = []
  async function request({ url, signal }: Request): Promise<Response> {
    if (url.endsWith('/openapi.json')) return new Response(document)
    started.push(signal)
    const ended = once(signal, 'abort')
    aborted.push(ended)
    if (started.length === 8) client.abort()
    await ended
    return Response.json({})
  }
  const metrics = createMetrics()
  const { app } = wireRoutes({
    ...{ routes: () => mcpRoutes({ request, version: '0' }), config: parseConfig({ apiKey: 'own' }) },
    ...{ db: database.db, metrics, log: noopLog },
  })
  const { count } = metrics.requests
  const server = await startServer({ host: '127.0.0.1', port: 0, version: '0', closeTimeoutMs: 1_000, count })
  onTestFinished(() => server.close())
  server.serve({ fetch: app.fetch })
  const params = { name: 'getLatestCoins', arguments: {} }
  const batch = Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }))
  const answer = fetch(`${server.url}/mcp`, {
    ...{ method: 'POST', headers: { 'x-api-key': 'own', 'content-type': 'application/json' } },
    ...{ body: JSON.stringify(batch), signal: client.signal },
  })
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
  await Promise.all(aborted)
  // All promises that the ended calls resolve.
  await new Promise(setImmediate)
  expect(started).toHaveLength(8)
})
