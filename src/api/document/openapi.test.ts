import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { openapiText } from '../../../scripts/openapiText.ts'
import { undocumented } from '../../../test/documentedAnswers.ts'
import { resolveReferences } from '../../../test/resolveReferences.ts'

const committed = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')

test('default: the committed openapi.json matches the routes (npm run docs writes it)', () => {
  expect(committed).toBe(openapiText())
})

const document = JSON.parse(committed)
/** The OpenAPI document as clients get it, with each `$ref` resolved. */
const resolved = resolveReferences(document)

test('default: openapi.json takes at most 300 kB', () => {
  expect(Buffer.byteLength(committed)).toBeLessThanOrEqual(300_000)
})

test('behavior: every $ref in openapi.json resolves to a component, and every component is used', () => {
  const named = new Set([...committed.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference))
  const { securitySchemes, ...kinds } = document.components as Record<string, object>
  const held = Object.entries(kinds).flatMap(([kind, components]) =>
    Object.keys(components).map((name) => `#/components/${kind}/${name}`),
  )
  expect(held.length).toBeGreaterThan(100)
  expect([...named].sort()).toEqual(held.sort())
  expect(document.security.flatMap((one: object) => Object.keys(one))).toEqual(Object.keys(securitySchemes!))
})

test('behavior: no component has the name of a JavaScript global, which generated types would shadow', () => {
  const names = Object.values<object>(document.components).flatMap((components) => Object.keys(components))
  expect(names.filter((name) => name in globalThis)).toEqual([])
})

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Every object in the OpenAPI document, with its place. */
function* objectsIn(value: Json, place = '#'): Generator<[place: string, { [name: string]: Json }]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [place, value]
  for (const [name, inner] of Object.entries(value)) yield* objectsIn(inner, `${place}/${name}`)
}

const all = [...objectsIn(document)]

test('behavior: every operation, parameter, header and property has a description', () => {
  const undescribed = all.flatMap(([place, value]) => {
    const { properties } = value
    const named = typeof properties === 'object' && properties !== null ? Object.entries(properties) : []
    const fields = named.filter(([, field]) => !('description' in (field as object)) && !('$ref' in (field as object)))
    const isNamed =
      value.operationId !== undefined ||
      value.in !== undefined ||
      /\/(?:responses\/[^/]+|components)\/headers\/[^/]+$/.test(place)
    const own = isNamed && !value.description && !value.$ref ? [place] : []
    return [...own, ...fields.map(([name]) => `${place}/${name}`)]
  })
  expect(undescribed).toEqual([])
})

test('behavior: response schemas allow further fields, and every integer has a minimum', () => {
  const closed = all.filter(([place, value]) => place.includes('/responses/') && value.additionalProperties === false)
  expect(closed.map(([place]) => place)).toEqual([])
  const schemas = all.filter(([place, value]) => place.includes('/components/') && value.additionalProperties === false)
  expect(schemas.map(([place]) => place)).toEqual([])
  const unbounded = all.filter(([, value]) => value.type === 'integer' && value.minimum === undefined)
  expect(unbounded.map(([place]) => place)).toEqual([])
  expect(committed).not.toContain(String(Number.MAX_SAFE_INTEGER))
})

test('behavior: every operation documents its error responses, with Allow and Retry-After', () => {
  const operations = all.filter(([, value]) => value.operationId !== undefined)
  expect(operations.length).toBeGreaterThan(30)
  for (const [, { responses }] of operations) expect(Object.keys(responses as object)).toContain('default')
  const { components } = document
  for (const response of ['Failure', 'AlchemyFailure'])
    expect(JSON.stringify(components.responses[response].headers['retry-after'])).toMatch(
      /RetryAfter|after which to retry/,
    )
  for (const response of ['Failure', 'AlchemyFailure'])
    expect(components.responses[response].headers.allow.description).toContain('methods of the path')
  expect(components.responses.Failure.headers['content-range'].description).toContain('416')
  expect(components.responses.Failure.description).toMatch(/405.*406.*413.*414.*500.*503/)
  expect(resolved.paths['/coins'].get.responses['304']).toHaveProperty('headers.x-index-status')
  expect(Object.keys(components.schemas.ErrorBody.properties.details.properties)).toContain('parameter')
})

test('behavior: an ETag is documented only for 200 and parts of files, and a 304 only with it', () => {
  for (const [, { operationId, responses }] of objectsIn(resolved.paths)) {
    if (operationId === undefined) continue
    const withTag = Object.entries(responses as Record<string, { headers: object }>)
      .filter(([, { headers }]) => 'etag' in headers)
      .map(([status]) => status)
    expect([[], ['200', '304'], ['200', '206', '304']], String(operationId)).toContainEqual(withTag)
    expect('304' in (responses as object), String(operationId)).toBe(withTag.length > 0)
  }
})

type Shown = { example?: Json; examples?: { answer: { value: Json } } }
type Answers = Record<string, { content?: Record<string, Shown> }>
type Described = { operationId: string; responses: Answers }
const operations = Object.entries(resolved.paths as Record<string, Record<string, Described>>)
  .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })))
  .map(({ responses, ...operation }) => ({ ...operation, ...successOf(responses) }))
  .filter(({ json }) => json !== undefined)

function successOf(responses: Answers) {
  const [status, answer] = Object.entries(responses).find(([status]) => status.startsWith('2'))!
  return { status: Number(status), json: answer.content?.['application/json'] }
}

test('behavior: every operation that answers JSON has a complete example that matches its schema', () => {
  // The id of a request and the headers of a page are not in the body.
  const headers = new Headers({ 'content-type': 'application/json' })
  const faults = operations.flatMap(({ operationId, path, method, status, json }) => {
    const example = json?.example ?? json?.examples?.answer.value
    if (example === undefined) return [`${operationId} shows no answer`]
    return undocumented({ method: method.toUpperCase(), path, status, headers, text: JSON.stringify(example) })
  })
  expect(operations.length).toBeGreaterThan(30)
  expect(faults.filter((fault) => !/: the header [\w-]+ is missing$/.test(fault))).toEqual([])
})

test('behavior: openapi.json is a valid OpenAPI 3.1 document', async () => {
  const result = await new Validator().validate(structuredClone(document))
  expect(result).toEqual({ valid: true })
  const broken = structuredClone(document)
  delete broken.info.title
  expect((await new Validator().validate(broken)).valid).toBe(false)
})
