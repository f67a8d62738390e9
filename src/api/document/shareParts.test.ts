import { expect, test } from 'vitest'
import { resolveReferences } from '../../../test/resolveReferences.ts'
import { describeOnce, shareParts } from './shareParts.ts'

const names = { 200: 'Success' }
const long = 'Version of the response, for If-None-Match, and is worth to be said once only.'
const etag = () => ({ schema: { type: 'string' }, description: long })
const field = (description: string) => ({ type: ['string', 'null'], maxLength: 100, description })
const answer = (...headers: string[]) => ({
  description: 'The answer.',
  headers: Object.fromEntries(headers.map((name) => [name, etag()])),
  content: { 'application/json': { schema: { type: 'object', properties: { the_name: field(long) } } } },
})
const limit = (maximum: number) => ({
  ...{ in: 'query', name: 'limit', description: long },
  schema: { type: 'integer', minimum: 1, maximum, description: long },
})
const document = (...operations: object[]) => ({
  openapi: '3.1.0',
  paths: Object.fromEntries(operations.map((operation, i) => [`/${i}`, { get: operation }])),
})

test('default: a part that is used several times becomes a component, and resolves to the original', () => {
  const given = document(
    { parameters: [limit(10)], responses: { 200: answer('etag') } },
    { parameters: [limit(10)], responses: { 200: answer('etag') } },
    { parameters: [limit(20)], responses: { 200: answer('etag', 'x-other-tag') } },
    { parameters: [limit(20)], responses: {} },
  )
  const { components, ...shared } = shareParts(given, names) as typeof given & { components: Record<string, object> }
  expect(Object.entries(components).map(([kind, parts]) => [kind, Object.keys(parts)])).toEqual([
    ['responses', ['Success']],
    ['parameters', ['Limit', 'Limit2']],
    ['headers', ['Etag']],
    ['schemas', ['Answer']],
    ['examples', []],
  ])
  expect(shared.paths['/0']).toEqual({
    get: {
      parameters: [{ $ref: '#/components/parameters/Limit' }],
      responses: { 200: { $ref: '#/components/responses/Success' } },
    },
  })
  const { components: _, ...resolved } = resolveReferences({ ...shared, components })
  expect(resolved).toEqual(given)
})

test('behavior: a part that is used once or is no longer than a $ref stays inline', () => {
  const short = { description: 'Short.' }
  const given = document({ responses: { 200: answer('etag'), 404: short } }, { responses: { 404: short } })
  expect(shareParts(given, names)).toMatchObject(given)
})

test('behavior: fields of examples do not become components', () => {
  const example = { properties: { a: field(long), b: field(long) }, headers: { c: etag(), d: etag() } }
  const content = { 'application/json': { schema: { type: 'object' }, example } }
  const given = document({ responses: { 200: { description: 'The answer.', content } } })
  expect(shareParts(given, names)).toMatchObject(given)
})

test('behavior: an example of several responses becomes a component, which `examples` references', () => {
  const example = { text: long.repeat(2) }
  const content = { 'application/json': { schema: { type: 'object' }, example } }
  const given = document({ responses: { 200: answer() } }, { responses: { 200: { description: 'Another.', content } } })
  given.paths['/0']!.get = { responses: { 200: { description: 'The answer.', content } } }
  const { paths, components } = shareParts(given, names) as typeof given & { components: { examples: object } }
  expect(components.examples).toEqual({ Answer: { value: example } })
  const shared = { schema: { type: 'object' }, examples: { answer: { $ref: '#/components/examples/Answer' } } }
  for (const { get } of Object.values(paths))
    expect(get).toMatchObject({ responses: { 200: { content: { 'application/json': shared } } } })
})

test('behavior: parameters and headers are described once, unless their schema has a different description', () => {
  const other = { ...limit(5), schema: { type: 'integer', description: 'Another text.' } }
  const given = document({ parameters: [limit(10), other], responses: {} })
  expect(describeOnce(given).paths).toEqual({
    '/0': {
      get: {
        parameters: [{ ...limit(10), schema: { type: 'integer', minimum: 1, maximum: 10 } }, other],
        responses: {},
      },
    },
  })
})
