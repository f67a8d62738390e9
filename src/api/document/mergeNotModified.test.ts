import { expect, test } from 'vitest'
import { mergeNotModified } from './mergeNotModified.ts'

const text = { schema: { type: 'string' } }
const needed = { ...text, required: true }
const notModified = (headers: object) => ({ responses: { 304: { description: 'Same.', headers } } })

test('default: 304 responses of the same state merge, and headers that not all of them have become optional', () => {
  const given = {
    paths: {
      '/a': { get: notModified({ etag: needed, 'x-index-status': needed, 'x-a': needed }) },
      '/b': { get: notModified({ etag: text, 'x-index-status': needed, 'x-b': text }) },
    },
  }
  const { paths } = mergeNotModified(given)
  const merged = { etag: text, 'x-index-status': needed, 'x-a': text, 'x-b': text }
  expect(paths['/a'].get.responses[304].headers).toEqual(merged)
  expect(paths['/b'].get.responses[304]).toEqual(paths['/a'].get.responses[304])
  expect(given.paths['/a'].get.responses[304].description).toBe('Same.')
})

test('behavior: a 304 without x-index-status or with a conflicting header is not merged', () => {
  const other = { schema: { type: 'integer' } }
  const headers = [{ etag: text }, { etag: text, 'x-index-status': text }, { etag: text, 'x-index-status': other }]
  const given = { paths: Object.fromEntries(headers.map((own, i) => [`/${i}`, { get: notModified(own) }])) }
  expect(Object.values(mergeNotModified(given).paths).map(({ get }) => get.responses[304].headers)).toEqual(headers)
})
