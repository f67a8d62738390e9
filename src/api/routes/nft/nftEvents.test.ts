import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../../test/api.ts'
import { holdClock } from '../../../../test/holdClock.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { createKey, revokeKey } from '../../../db/keys.ts'
import type { Address } from '../../../util/hex.ts'
import { heartbeatMs } from '../../events/eventStream.ts'
import { createListenersBound, mostOfKey } from '../../events/listenersBound.ts'

let api: TestApi
const address: Address = `0x${'ab'.repeat(20)}`
const other: Address = `0x${'ac'.repeat(20)}`

beforeAll(async () => {
  api = await createTestApi({ config: { pageCache: { freshMs: 0 } } })
  for (const own of [address, other]) await seedCollection(api.db, { address: own, tokens: [1n] })
})
afterAll(() => api.drop())

/** The first id of a connection. */
async function firstId(path: string): Promise<string> {
  const response = await api.get(path)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  const reader = response.body!.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return /^id: (.*)$/m.exec(Buffer.from(value!).toString())![1]!
}

const ofContract = `/api/v2/nft/${address}/events`
const ofWallet = `/api/v2/${address}/nft/events`

test('default: a connection starts with an event id from which it can be resumed', async () => {
  for (const path of [ofContract, ofWallet]) {
    const id = await firstId(path)
    const again = await api.get(path, { 'last-event-id': id })
    expect(again.status).toBe(200)
    await again.body!.cancel()
  }
})

test('behavior: HEAD on the event stream ends immediately without a body', async () => {
  const request = new Request(`http://localhost${ofContract}`, { method: 'HEAD', headers: { 'x-api-key': adminKey } })
  const response = await api.api.request(request)
  expect([response.status, await response.text()]).toEqual([200, ''])
})

test.each([ofContract, ofWallet])('behavior: a connection ends once its key is revoked: %s', async (path) => {
  const { id, key } = await createKey(api.db, { name: 'reader', access: 'read' })
  const clock = holdClock()
  const response = await api.api.request(new Request(`http://localhost${path}`, { headers: { 'x-api-key': key } }))
  const reader = response.body!.getReader()
  await reader.read()
  clock.advance(heartbeatMs)
  expect((await reader.read()).done).toBe(false)
  await revokeKey(api.db, id)
  clock.advance(heartbeatMs)
  expect((await reader.read()).done).toBe(true)
})

test('error: rejects a foreign, altered or outdated event id, and invalid parameters', async () => {
  const id = await firstId(ofContract)
  const faults = [
    [`/api/v2/nft/${other}/events`, { 'last-event-id': id }, 'Last-Event-ID is not the id of an event of this address'],
    [ofContract, { 'last-event-id': `${id}A` }, 'Last-Event-ID is not the id'],
    [ofContract, { 'last-event-id': '' }, 'Last-Event-ID is not the id'],
    ['/api/v2/nft/0x12/events', {}, 'address is'],
    [`${ofContract}?chain=moon`, {}, 'chain is'],
    [`/api/v2/0x${'0'.repeat(40)}/nft/events`, {}, 'wallet is'],
  ] as const
  for (const [path, headers, message] of faults) {
    const response = await api.get(path, headers)
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ message: expect.stringContaining(message) }),
    ])
  }
  await api.db.run('DELETE FROM collection WHERE address = $1', [Buffer.from(address.slice(2), 'hex')])
  await seedCollection(api.db, { address, tokens: [1n] })
  const response = await api.get(ofContract, { 'last-event-id': id })
  expect([response.status, await response.json()]).toEqual([
    400,
    expect.objectContaining({ message: expect.stringContaining('removed since') }),
  ])
})

test('error: a key has a limit of listeners, and closed ones free their place', () => {
  const bound = createListenersBound()
  const releases = Array.from({ length: mostOfKey }, () => bound.take(1n))
  expect(() => bound.take(1n)).toThrow(/the maximum; retry in 10 s/)
  bound.take(2n)()
  releases[0]!()
  releases[0]!()
  bound.take(1n)
  expect(() => bound.take(1n)).toThrow()
})
