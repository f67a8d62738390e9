import { readFileSync } from 'node:fs'
import Moralis from 'moralis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishedOperations, shapeOfOperation, withOperations } from '../../scripts/publishedOperations.ts'
import { absentOperations } from '../../src/api/document/absentOperations.ts'
import type { ApiServer } from '../../src/api/http/server.ts'
import { createTestApi, type TestApi } from '../api.ts'
import { testApiKey } from '../mintmark.ts'
import { startMoralis } from './startMoralis.ts'

const page = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8')
const openapi = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
const served = new Set(
  Object.entries(openapi.paths as Record<string, object>).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => shapeOfOperation({ method: method.toUpperCase(), path })),
  ),
)
const published = publishedOperations()
const [here, elsewhere] = [true, false].map((isHere) =>
  published.filter((operation) => served.has(shapeOfOperation(operation)) === isHere),
) as [typeof published, typeof published]

let api: TestApi
let server: ApiServer
beforeAll(async () => {
  api = await createTestApi({ config: { apiKey: testApiKey } })
  server = await api.api.listen({ host: '127.0.0.1', port: 0 })
  await startMoralis({ url: server.url })
})
afterAll(async () => {
  await server.close()
  await api.drop()
})

const address = `0x${'5a'.repeat(20)}`

async function request({ method, path }: { method: string; path: string }) {
  const target = path.replaceAll(/\{\w*[aA]ddress\}/g, address).replaceAll(/\{\w+\}/g, '7')
  const response = await fetch(server.url + target, { method, headers: { 'x-api-key': testApiKey } })
  const text = await response.text()
  return { target, status: response.status, text, body: JSON.parse(text) as { message?: string } }
}

test('default: docs/clients.md lists every operation of the published client, written by npm run docs', () => {
  expect(page).toBe(withOperations(page, openapi))
  for (const { path } of published) expect(page).toContain(path)
  expect(published.length).toBeGreaterThan(140)
})

test('default: every operation is either served or listed as absent, and nothing else is listed as absent', () => {
  const absent = new Set(absentOperations.map(shapeOfOperation))
  expect(here.filter((operation) => absent.has(shapeOfOperation(operation)))).toEqual([])
  expect(elsewhere.filter((operation) => !absent.has(shapeOfOperation(operation)))).toEqual([])
  const names = new Set(elsewhere.map(({ operationId }) => operationId))
  expect(absentOperations.filter(({ operationId }) => !names.has(operationId))).toEqual([])
})

test.each(elsewhere)('error: $operationId returns 404 with its name', async (operation) => {
  const same = elsewhere.filter((other) => shapeOfOperation(other) === shapeOfOperation(operation))
  for (const base of operation.path.startsWith('/api/v2/') ? ['/api/v2/', '/api/v2.2/'] : ['/'])
    for (const prefix of operation.api === 'AptosApi' ? ['', '/aptos/testnet'] : ['']) {
      const path = prefix + operation.path.replace('/api/v2/', base)
      const { status, body } = await request({ ...operation, path })
      const names = same.map(({ operationId }) => operationId).join('|')
      expect({ path, status }).toEqual({ path, status: 404 })
      expect(body.message).toMatch(
        new RegExp(`^(${names}) is an operation of the Moralis APIs that this server does not have.*docs/clients.md`),
      )
    }
})

test('behavior: an operation that needs marketplace orders reports that', async () => {
  const { body } = await request({ method: 'GET', path: '/api/v2/nft/{address}/trades' })
  expect(body.message).toContain("does not have, as it needs a marketplace's orders; docs/clients.md")
})

test('behavior: operations that this server has are not reported as absent', async () => {
  for (const operation of here) expect((await request(operation)).text).not.toContain('does not have')
  expect(here.length).toBeGreaterThan(18)
})

test('behavior: a path without any operation returns 404 for an unknown route', async () => {
  for (const path of ['/api/v2/nowhere', '/api/v2/nowhere/events', '/api/v2.2/a/b/price', '/nowhere']) {
    const { status, body } = await request({ method: 'GET', path })
    expect([path, status, body.message]).toEqual([
      path,
      404,
      'there is no route at this path; /openapi.json lists all routes',
    ])
  }
})

test('error: the published client reports that the server does not have an operation', async () => {
  const requested = Moralis.EvmApi.nft.getNFTTrades({ address, chain: '0x1' })
  await expect(requested).rejects.toThrow(
    'Not Found(404): getNFTTrades is an operation of the Moralis APIs that this server does not have',
  )
})

test('behavior: the published client can request a refresh of a whole contract', async () => {
  const { result } = await Moralis.EvmApi.nft.syncNFTContract({ address, chain: '0x1' })
  expect(result).toBeDefined()
})
