import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../test/api.ts'
import { resolveReferences } from '../../../test/resolveReferences.ts'

let t: TestApi
let streamId: string
beforeAll(async () => {
  t = await createTestApi({
    config: { chains: { local: { id: '0x7a69', rpc: ['http://127.0.0.1:1'] } }, rateLimit: { burst: 100_000 } },
  })
  streamId = (await send('PUT', '/streams/evm', createBody)).answer.id
})
afterAll(() => t.drop())

type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  enum?: unknown[]
}
type Operation = {
  operationId: string
  parameters?: { name: string; in: 'path' | 'query' }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
}
type Document = { paths: Record<string, Record<string, Operation>> }

const openapi = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')
const document: Document = resolveReferences(JSON.parse(openapi))
const createBody = {
  webhookUrl: 'https://receiver.example/hook',
  description: 'd',
  tag: 't',
  chainIds: ['0x7a69'],
}
const baseBodies: Record<string, Record<string, unknown>> = {
  createStream: createBody,
  previewStream: createBody,
  flagCollection: { spam: 'yes' },
  resetChain: { confirm: 'local' },
}

type Place = (string | number)[]

/** Returns the places of texts in a body: every field, including fields that allow any value. */
function textPlaces(schema: Schema, at: Place = []): Place[] {
  if (schema.anyOf) {
    const places = schema.anyOf.flatMap((one) => textPlaces(one, at))
    return [...new Map(places.map((place) => [place.join('.'), place])).values()]
  }
  const types = [schema.type ?? []].flat()
  const places: Place[] = types.length === 0 || types.includes('string') ? [at] : []
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    places.push(...textPlaces(property, [...at, name]))
  if (schema.items) places.push(...textPlaces(schema.items, [...at, 0]))
  if (types.includes('object') && typeof schema.additionalProperties === 'object')
    places.push(...textPlaces(schema.additionalProperties, [...at, '0x7a69']))
  return places
}

function withText(base: unknown, [head, ...rest]: Place, text: string): unknown {
  if (head === undefined) return text
  const inner = (base as Record<string | number, unknown> | undefined)?.[head]
  const value = withText(inner, rest, text)
  if (typeof head === 'number') return [value]
  // An item of a list gets its required fields besides the text.
  return { ...((base as object | undefined) ?? required[head] ?? {}), [head]: value }
}

const required: Record<string, object> = {
  filter: { topic0: 'A()' },
  selectors: { type: 'tx' },
  type: { selectors: ['$from'] },
}

async function send(method: string, target: string, body?: unknown) {
  const response = await t.api.request(
    new Request(`http://localhost${target}`, {
      method,
      headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  return { status: response.status, answer: JSON.parse(text) as { message: string; id: string } }
}

// One operation represents many routes of a dialect; the dialect's own test sends these texts. /mcp passes its messages on to these operations.
const ownPaths = Object.entries(document.paths).filter(([path]) => !path.startsWith('/alchemy/') && path !== '/mcp')
const operations = ownPaths.flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
)

const texts = [
  { name: 'U+0000', text: 'a\0b', encoded: 'a%00b' },
  { name: 'half of a surrogate pair', text: 'a\ud800b', encoded: 'a%ED%A0%80b' },
  { name: '1 MB', text: 'a'.repeat(1_000_000), encoded: 'a'.repeat(1_000_000) },
]
const addresses: Record<string, string> = {
  chain: 'local',
  address: `0x${'11'.repeat(20)}`,
  token_id: '1',
  wallet: `0x${'11'.repeat(20)}`,
  block: '1',
  network: 'mainnet',
  hash: 'ab'.repeat(32),
  file: 'index.html',
}

test.each(texts)(
  'error: $name is rejected in every path and query parameter, with the name of the parameter',
  async (bad) => {
    for (const { path, method, operationId, parameters = [], requestBody } of operations)
      for (const { name, in: where } of parameters) {
        const filled = path.replaceAll(/\{(\w+)\}/g, (_, known: string) =>
          where === 'path' && known === name ? bad.encoded : (addresses[known] ?? streamId),
        )
        const others = parameters.some((one) => one.name === 'limit') && name !== 'limit' ? '&limit=10' : ''
        const { status, answer } = await send(
          method,
          where === 'query' ? `${filled}?${name}=${bad.encoded}${others}` : filled,
          requestBody && (baseBodies[operationId] ?? {}),
        )
        const what = `${operationId} ${name}: ${status} ${answer.message}`.slice(0, 500)
        // Invalid UTF-8 in a URL is read as U+FFFD, which a search may contain.
        if (status === 200 && !bad.text.isWellFormed()) continue
        expect([400, 404, 414], what).toContain(status)
        if (status === 400) expect(answer.message, what).toContain(name)
        expect(answer.message.length, what).toBeLessThan(1_000)
      }
  },
)

test.each(texts)(
  'error: $name is rejected in every text field of every body, with the name of the field',
  async ({ text }) => {
    for (const { path, method, operationId, requestBody } of operations) {
      if (!requestBody) continue
      const target = path.replaceAll(/\{(\w+)\}/g, (_, known: string) => addresses[known] ?? streamId)
      const places = textPlaces(requestBody.content['application/json'].schema)
      expect(places.length, operationId).toBeGreaterThan(0)
      for (const place of places) {
        const { status, answer } = await send(method, target, withText(baseBodies[operationId] ?? {}, place, text))
        const what = `${operationId} ${place.join('.')}: ${status} ${answer.message}`.slice(0, 500)
        // The limit of a body may be lower than the whole text.
        expect(text.length > 1_000 ? [400, 413] : [400], what).toContain(status)
        if (status === 400) expect(answer.message, what).toContain(String(place[0]))
        expect(answer.message.length, what).toBeLessThan(1_000)
      }
    }
  },
)

test.each(texts)(
  'error: $name is rejected deep in an ABI and a filter, in values and in field names',
  async ({ text }) => {
    const event = { type: 'event', name: 'A', inputs: [{ name: 'b', type: 'string' }] }
    const filter = { eq: ['b', 'c'] }
    const abis = [
      [{ ...event, inputs: [{ name: text, type: 'string' }] }],
      [{ ...event, inputs: [{ name: 'b', type: text }] }],
      [{ ...event, name: text }],
      [{ ...event, more: { [text]: 1 } }],
      [event, { type: 'function', name: 'f', notes: [[text]] }],
    ]
    const rejected = async (more: object) => {
      const { status, answer } = await send('PUT', '/streams/evm', { ...createBody, ...more })
      return `${status} ${answer.message}`
    }
    for (const abi of abis) expect((await rejected({ abi })).slice(0, 200)).toMatch(/^400 abi\[/)
    for (const bad of [
      { eq: ['b', text] },
      { [text]: ['b', 'c'] },
      { eq: [text, 'c'] },
      { and: [filter, { in: ['b', [text]] }] },
    ])
      expect(
        (await rejected({ abi: [event], advancedOptions: [{ topic0: 'A(string)', filter: bad }] })).slice(0, 200),
      ).toMatch(/^400 advancedOptions\[0\]\.filter/)
  },
)
