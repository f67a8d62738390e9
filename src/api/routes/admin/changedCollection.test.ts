import { expect, onTestFinished, test } from 'vitest'
import { adminKey, createTestApi } from '../../../../test/api.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'

const address = `0x${'ab'.repeat(20)}` as const

test.each([
  ['POST', '/flag', { spam: 'yes' }, ['SYNCED', true]],
  ['POST', '/reindex', undefined, ['SYNCING']],
  ['DELETE', '', undefined, ['SYNCING']],
])('behavior: after %s …%s, the next pages of the process contain the change', async (method, path, body, expected) => {
  const t = await createTestApi({ config: { pageCache: { freshMs: 60_000 } } })
  onTestFinished(t.drop)
  const pages = () =>
    Promise.all(
      ['', '/owners'].map(async (list) => {
        const response = await t.get(`/api/v2/nft/${address}${list}`)
        const { status, result } = (await response.json()) as { status: string; result: { possible_spam: boolean }[] }
        return [status, ...result.map((record) => record.possible_spam)]
      }),
    )
  await seedCollection(t.db, { address, tokens: [1n] })
  const before = ['SYNCED', false]
  expect(await pages()).toEqual([before, before])
  const changed = await t.api.request(
    new Request(`http://localhost/admin/collections/eth/${address}${path}`, {
      method,
      headers: { 'x-api-key': adminKey },
      ...(body && { body: JSON.stringify(body) }),
    }),
  )
  expect(changed.status).toBe(200)
  expect(await pages()).toEqual([expected, expected])
})
