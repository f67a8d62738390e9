import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../test/api.ts'
import { resolveReferences } from '../../../test/resolveReferences.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import type { ApiServer } from '../http/server.ts'

type Schema = {
  type?: string
  format?: string
  pattern?: string
  enum?: unknown[]
  examples?: unknown[]
  items?: Schema
  minimum?: number
}
type Parameter = { in: 'path' | 'query'; name: string; required?: boolean; schema: Schema }
type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: object
  responses: Record<string, object>
}

const openapi = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')
const document: { paths: Record<string, Record<string, Operation>> } = resolveReferences(JSON.parse(openapi))
const all = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
)

const uuid = '7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f'

/** A valid value of a parameter, from its schema alone. */
function sample({ type, format, pattern, enum: values, examples, items, minimum }: Schema): string {
  const known = examples?.[0] ?? values?.[0] ?? minimum
  if (known !== undefined) return String(known)
  if (items) return sample(items)
  if (format === 'uuid') return uuid
  if (pattern === '^[0-9a-f]{64}$') return 'a'.repeat(64)
  return type === 'integer' ? '1' : 'text'
}

function targetOf({ path, parameters = [] }: { path: string; parameters?: Parameter[] }): string {
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  const query = new URLSearchParams(required.map(({ name, schema }): [string, string] => [name, sample(schema)]))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    sample(parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)!.schema),
  )
  return `${filled}${query.size > 0 ? `?${query}` : ''}`
}

const metrics = createMetrics()
let api: TestApi
let server: ApiServer
beforeAll(async () => {
  api = await createTestApi({ metrics, config: { aptos: { mainnet: { rest: 'http://127.0.0.1:1' } } } })
  server = await api.api.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await server.close()
  await api.drop()
})

/** Returns the number of responses of each route so far. */
async function answersByRoute(): Promise<Map<string, number>> {
  const answers = new Map<string, number>()
  for (const metric of await metrics.registry.getMetricsAsJSON())
    if (metric.name === 'mintmark_http_requests_total')
      for (const { labels, value } of metric.values as { labels: { route: string }; value: number }[])
        answers.set(labels.route, (answers.get(labels.route) ?? 0) + value)
  return answers
}

/** Sends a request and returns the route that answered, from the metrics. */
async function request(method: string, target: string, hasBody: boolean) {
  const before = await answersByRoute()
  const response = await fetch(`${server.url}${target}`, {
    method,
    headers: { 'x-api-key': adminKey, accept: '*/*' },
    ...(hasBody && { body: '{}' }),
  })
  // A stream of events ends only with its client.
  const isEndless = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const message = isEndless ? await response.body!.cancel().then(() => '') : await response.text()
  const newly = async () =>
    [...(await answersByRoute())].filter(([route, answers]) => answers > (before.get(route) ?? 0))
  if (isEndless) await expect.poll(newly).not.toEqual([])
  const routes = await newly()
  return { status: response.status, routes: routes.map(([route]) => route), message }
}

test('default: openapi.json documents operations of every method', () => {
  expect(new Set(all.map(({ method }) => method))).toEqual(new Set(['GET', 'PUT', 'POST', 'DELETE']))
  expect(all.length).toBeGreaterThan(35)
})

test.each(all)('default: $method $path is answered by the documented operation', async (operation) => {
  const { method, path, requestBody, responses } = operation
  const target = targetOf(operation)
  const targets = path.startsWith('/api/v2/') ? [target, target.replace('/api/v2/', '/api/v2.2/')] : [target]
  for (const requested of targets) {
    const { status, routes, message } = await request(method, requested, requestBody !== undefined)
    // One operation represents all routes of a dialect.
    const route = path.replace('{route}', requested.split('/').at(-1)!)
    // Tools for assistants are generated from the OpenAPI document.
    const answered = path === '/mcp' ? routes.filter((one) => one !== '/openapi.json') : routes
    expect({ requested, routes: answered }).toEqual({ requested, routes: [route] })
    // No operation documents 405, for a method that the path does not support.
    expect(String(status) in responses || (status >= 400 && 'default' in responses), message).toBe(true)
    expect(status, message).toBeLessThan(500)
  }
})
