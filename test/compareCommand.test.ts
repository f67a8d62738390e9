import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { runCommand } from './commandLine.ts'

const address = `0x${'Ab'.repeat(20)}`
const token = (tokenId: string, more: object) => ({ contract: { address }, tokenId, ...more })
const key = 'k3y-of-a-hosted-api-000'

async function serve(answers: Record<string, unknown>, headers = {}) {
  const server = createServer((request, response) => {
    const path = request.url!.replace(`/${key}/`, '')
    const found = path in answers
    response.writeHead(found ? 200 : path === 'proxy' ? 502 : 404, { 'content-type': 'application/json', ...headers })
    if (path === 'page' || path === 'proxy') response.end('<html>')
    else response.end(JSON.stringify(found ? answers[path] : { error: { message: `no ${path}` } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${key}`, server }
}

const here = await serve(
  {
    list: { ownedNfts: [token('1', { name: 'One', mint: null }), token('2', { name: 'Two' })], pageKey: null },
    page: null,
    new: {},
  },
  { 'x-index-status': 'syncing' },
)
const there = await serve({
  list: {
    ownedNfts: [token('2', { name: 'Zwei' }), token('1', { name: 'One', mint: { block: 5 } }), token('3', {})],
    pageKey: '',
  },
  page: null,
})
afterAll(() => {
  for (const { server } of [here, there]) server.close()
})

const compare = (...args: string[]) => runCommand(['compare', '--url', here.url, '--with', there.url, ...args])

test('default: compares fields of the same items in any order', async () => {
  const { code, out } = await compare('list', '--json')
  expect(code).toBe(0)
  const { fields } = JSON.parse(out) as { fields: ({ field: string } & Record<string, unknown>)[] }
  const counts = Object.fromEntries(
    fields.map(({ field, same, different, onlyHere, onlyThere }) => [field, [same, different, onlyHere, onlyThere]]),
  )
  expect(counts).toEqual({
    'ownedNfts[].contract.address': [2, 0, 0, 0],
    'ownedNfts[].tokenId': [2, 0, 0, 0],
    'ownedNfts[].name': [1, 1, 0, 0],
    'ownedNfts[].mint': [0, 0, 0, 1],
    'ownedNfts[] (number of items)': [0, 1, 0, 0],
    pageKey: [1, 0, 0, 0],
  })
})

test('behavior: prints differences as a table with an example, and never prints keys', async () => {
  const { out, err } = await compare('list', 'absent')
  expect(out).toMatch(/ownedNfts\[\]\.name +1 +1 +0 +0 +"Two" +"Zwei"/)
  expect(out).toContain('3 of 6 fields are the same in all answers')
  expect(err).toContain('absent: this server returns 404 (no absent), the other one 404 (no absent)')
  expect(err).toContain("list: this server's indexing is syncing, so its answer may be incomplete")
  expect(out + err).not.toContain(key)
})

test('error: a response that is not JSON is reported with the server that sent it', async () => {
  const { code, err } = await compare('page')
  expect(code).not.toBe(0)
  expect(err).toContain('did not answer page with JSON')
  expect(err).not.toContain(key)
})

test('error: without a request that succeeds on both servers there is no result', async () => {
  const { code, out, err } = await compare('new', 'proxy')
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err.split('\n')).toEqual([
    'new: this server returns 200, the other one 404 (no new)',
    'proxy: this server returns 502, the other one 502',
    'mintmark: no request succeeded on both servers, so there is nothing to compare',
    '',
  ])
})
