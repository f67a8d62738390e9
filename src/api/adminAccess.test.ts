import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../test/api.ts'
import { createKey } from '../db/keys.ts'

type Operation = { tags: string[]; requestBody?: object }
const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
}
const all = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
)
const admin = all.filter(({ path }) => path.startsWith('/admin/'))

let api: TestApi
let reader: string
beforeAll(async () => {
  api = await createTestApi()
  reader = (await createKey(api.db, { name: 'reader', access: 'read' })).key
})
afterAll(() => api.drop())

test('default: exactly the operations below /admin have the tag Admin', () => {
  const tagged = all.filter(({ tags }) => tags.includes('Admin'))
  expect(tagged.map(({ path }) => path)).toEqual(admin.map(({ path }) => path))
  expect(admin.length).toBeGreaterThan(2)
})

test.each(admin)('error: $method $path accepts admin keys only', async ({ method, path, requestBody }) => {
  const statuses: number[] = []
  for (const key of [undefined, 'a wrong key', reader]) {
    const request = new Request(`http://localhost${path.replaceAll(/\{\w+\}/g, '1')}`, {
      method,
      headers: key === undefined ? {} : { 'x-api-key': key },
      ...(requestBody && { body: '{}' }),
    })
    const response = await api.api.request(request)
    expect(await response.text()).not.toContain(adminKey)
    statuses.push(response.status)
  }
  expect(statuses).toEqual([401, 401, 403])
})
