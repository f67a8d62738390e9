import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../test/api.ts'
import { freshSeed } from '../../test/random.ts'

const seed = freshSeed()

let api: TestApi
beforeAll(async () => {
  api = await createTestApi({ config: { chains: { local: { id: '0x7a69', rpc: ['http://127.0.0.1:1'] } } } })
})
afterAll(() => api.drop())

type Rejection = { message: string; details: { parameter?: string; faults?: { parameter: string; message: string }[] } }

async function send(method: string, path: string, body: unknown) {
  const response = await api.api.request(
    new Request(`http://localhost${path}`, {
      method,
      headers: { 'x-api-key': adminKey },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )
  return { status: response.status, body: (await response.json()) as Rejection }
}

const stream = { webhookUrl: 'https://a.example/', description: 'd', tag: 't', chainIds: ['0x7a69'] }
const id = '7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f'
const create = ['PUT', '/streams/evm'] as const
const status = ['POST', `/streams/evm/${id}/status`] as const
const address = ['POST', `/streams/evm/${id}/address`] as const
const settings = ['POST', '/settings'] as const
const secret = `whsec_${'s'.repeat(200)}`

const rejections: [readonly [method: string, path: string], unknown, string][] = [
  [create, { ...stream, webhookUrl: undefined }, 'webhookUrl is missing; allowed: an http or https URL'],
  [create, { ...stream, webhookUrl: 5 }, 'webhookUrl is 5; allowed: an http or https URL'],
  [create, { ...stream, webhookUrl: '' }, 'webhookUrl is empty; allowed: an http or https URL'],
  [create, { ...stream, chainIds: [] }, 'chainIds is empty; allowed: 1 to 100 chain ids such as 0x1'],
  [create, { ...stream, chainIds: '0x1' }, 'chainIds is text; allowed: 1 to 100 chain ids such as 0x1'],
  [create, { ...stream, chainIds: Array(101).fill('0x1') }, 'chainIds has 101 items; allowed: at most 100'],
  [create, { ...stream, chainIds: ['0x1', null] }, 'chainIds[1] is null; allowed: a chain id such as 0x1'],
  [create, { ...stream, tag: 'x'.repeat(1_025) }, 'tag has 1025 characters; allowed: at most 1024'],
  [create, { ...stream, tag: undefined }, 'tag is missing; allowed: text of at most 1024 characters'],
  [create, { ...stream, delivery: 'fast' }, 'delivery is "fast"; allowed: ordered or unordered'],
  [create, { ...stream, gzip: 'yes' }, 'gzip is text; allowed: true or false'],
  [create, { ...stream, abi: ['event A()'] }, 'abi[0] is text; allowed: a JSON object'],
  [create, { ...stream, headers: { 'x-a': 5 } }, 'headers.x-a is 5; allowed: text of at most 8192 characters'],
  [
    create,
    { ...stream, headers: { [secret.repeat(50)]: '' } },
    'headers has a name that has 10300 characters; allowed: at most 8192',
  ],
  [
    create,
    { ...stream, webhookSecret: secret },
    'webhookSecret has 206 characters; allowed: at most 128. webhookSecret is not a webhook secret; allowed: whsec_ and 24 to 64 bytes in base64',
  ],
  [
    create,
    { ...stream, fromBlocks: { '0x7a69': 5 } },
    'fromBlocks.0x7a69 is 5; allowed: a block number as text of at most 18 decimal digits',
  ],
  [
    create,
    { ...stream, advancedOptions: [{}] },
    'advancedOptions[0].topic0 is missing; allowed: the signature of an event, such as Transfer(address,address,uint256), or its hash',
  ],
  [
    create,
    { ...stream, topic0: ['Transfer(addr)'] },
    'topic0[0] is "Transfer(addr)", which is not an event; allowed: Name(type,type,…) or a hash',
  ],
  [create, [], 'the body is a list; allowed: a JSON object'],
  [create, 'null', 'the body is null; allowed: a JSON object'],
  [create, '', 'the body is missing; allowed: a JSON object'],
  [create, '{"webhookSecret": whsec_', 'the body is not JSON; allowed: a JSON object'],
  [status, {}, 'status is missing; allowed: active or paused'],
  [status, { status: 'asleep' }, 'status is "asleep"; allowed: active or paused'],
  [
    status,
    { status: 'paused', resumeFrom: 'now' },
    'resumeFrom is only for status active; allowed: omitting it, or status active',
  ],
  [address, {}, 'address is missing; allowed: an address, 0x and 40 hex digits, or a list of them'],
  [address, { address: ['0x1', 5] }, 'address[1] is 5; allowed: text'],
  [settings, { secretKey: '' }, 'secretKey is empty; allowed: text of 1 to 1024 characters'],
  [settings, { region: 'moon' }, 'region is "moon"; allowed: us-east-1, us-west-2, eu-central-1 or ap-southeast-1'],
]

test.each(rejections.map(([at, body, message]) => [message, at, body] as const))(
  'error: %s',
  async (message, [method, path], body) => {
    const rejected = await send(method, path, body)
    expect(rejected).toMatchObject({ status: 400, body: { message } })
    expect(rejected.body.message).not.toContain('whsec_s')
  },
)

type Schema = { properties?: Record<string, unknown>; allOf?: Schema[]; $ref?: string }
const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { requestBody?: { content: { 'application/json': { schema: Schema } } } }>>
  components: { schemas: Record<string, Schema> }
}
/** Errors of these paths have the form of JSON-RPC. */
const speaksJsonRpc = new Set(['/mcp'])

const bodies = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).flatMap(([method, { requestBody }]) =>
    requestBody && !speaksJsonRpc.has(path)
      ? [{ method: method.toUpperCase(), path, fields: fieldsOf(requestBody.content['application/json'].schema) }]
      : [],
  ),
)

function fieldsOf({ properties, $ref }: Schema): string[] {
  return $ref ? fieldsOf(document.components.schemas[$ref.split('/').at(-1)!]!) : Object.keys(properties ?? {})
}

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, '', 0, -1, 1.5, true, [], {}, [[]], [{}], [null], [5], { a: 5 }, { '0x1': null }),
  fc.constantFrom<unknown>(
    'active',
    'paused',
    'now',
    '0x1',
    ['0x7a69'],
    ['eth'],
    'x'.repeat(70_000),
    ['\u0000'],
    '\ud800',
  ),
  fc.constantFrom<unknown>(
    { '0x7a69': '1' },
    { mainnet: '1' },
    { 'x-a': null },
    [{ topic0: 'A()', filter: { eq: 5 } }],
    [{ selectors: 5 }],
  ),
  fc.jsonValue(),
)
const request = fc.constantFrom(...bodies).chain(({ method, path, fields }) =>
  fc.record({
    method: fc.constant(method),
    path: fc.constant(path.replace(/\{\w+\}/g, id)),
    body: fc.oneof(
      { weight: 1, arbitrary: odd },
      {
        weight: 9,
        arbitrary: fc
          .record(Object.fromEntries(fields.map((field) => [field, odd])), { requiredKeys: [] })
          .map((body) => (path === '/streams/evm' ? { ...stream, ...body } : body)),
      },
    ),
  }),
)

test(`behavior: a rejected body names the field, its error and what is allowed, without the wording of the validator (seed ${seed})`, async () => {
  let rejected = 0
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, body }) => {
      const answer = await send(method, path, body)
      expect(answer.status).toBeLessThan(500)
      if (answer.status !== 400) return
      rejected++
      const { message, details } = answer.body
      for (const fault of details.faults ?? [{ parameter: details.parameter!, message }]) {
        expect(fault.message.replace(/^the body/, 'body').startsWith(fault.parameter)).toBe(true)
        expect(fault.message).toMatch(/; allowed: \S/)
      }
      expect(message.replaceAll(/"(?:[^"\\]|\\.)*"/g, '')).not.toMatch(
        /invalid|expected|received|too (big|small)|unrecognized/i,
      )
    }),
    { numRuns: 500, seed },
  )
  expect(rejected).toBeGreaterThan(0)
})
