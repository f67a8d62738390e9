import { expect, test } from 'vitest'
import { get, post, remove } from './apiCall.ts'
import { curlOf } from './curlOf.ts'

const origin = 'http://127.0.0.1:8080'

test('default: a request becomes one curl line, with a variable for the key', () => {
  const call = get('/api/v2/nft/{address}', { path: { address: '0x12' }, query: { chain: 'eth', limit: 2 } })
  expect(curlOf(call, origin)).toBe(
    `curl -H "X-API-Key: $MINTMARK_KEY" 'http://127.0.0.1:8080/api/v2/nft/0x12?chain=eth&limit=2'`,
  )
})

test('behavior: no text of the body or URL ends the shell quotes', () => {
  const call = post('/admin/keys', {}, { name: `it's $(date) "here"` })
  expect(curlOf(call, origin)).toBe(
    `curl -X POST -H "X-API-Key: $MINTMARK_KEY" -H 'content-type: application/json' --data '{"name":"it'\\''s $(date) \\"here\\""}' 'http://127.0.0.1:8080/admin/keys'`,
  )
  expect(curlOf(remove('/admin/keys/{id}', { path: { id: `1'/../2` } }), origin)).toBe(
    `curl -X DELETE -H "X-API-Key: $MINTMARK_KEY" 'http://127.0.0.1:8080/admin/keys/1'\\''%2F..%2F2'`,
  )
})

test('behavior: undefined parameters are omitted, and lists become repeated parameters', () => {
  const { target } = get('/api/v2/nft/{address}', {
    path: { address: '0x12' },
    query: { chain: undefined, traits: ['A:b', 'C:d'] },
  })
  expect(target).toBe('/api/v2/nft/0x12?traits=A%3Ab&traits=C%3Ad')
})
