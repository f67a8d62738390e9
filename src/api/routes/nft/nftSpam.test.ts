import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { fillWallets } from '../../../../test/fillWallets.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import type { Address } from '../../../util/hex.ts'

const address: Address = `0x${'5a'.repeat(20)}`

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
  const columns = { possible_spam: true, spam_score: 60, spam_reasons: ['name-link: "visit usdc-gift.com"'] }
  await seedCollection(api.db, { address, tokens: [1n, 2n, 3n], columns })
})
afterAll(() => api.drop())

const scored = { possible_spam: true, spam_score: 60, spam_reasons: ['name-link: "visit usdc-gift.com"'] }

test('behavior: include=spam adds the spam score and its reasons to the records', async () => {
  const response = await api.get(`/api/v2/nft/${address}?limit=2&include=spam`)
  const body = (await response.json()) as { cursor: string; result: object[] }
  expect(body.result).toEqual([expect.objectContaining(scored), expect.objectContaining(scored)])
  const next = await api.get(`/api/v2/nft/${address}?cursor=${body.cursor}`)
  expect(await next.json()).toMatchObject({ result: [scored], cursor: null })
  const plain = (await (await api.get(`/api/v2/nft/${address}?limit=1`)).json()) as { result: object[] }
  expect(plain.result[0]).not.toHaveProperty('spam_score')
})

test('behavior: include accepts a list in every syntax and any order', async () => {
  const ranked = { ...scored, rarity_rank: null, rarity_percentage: null }
  const cursors = new Set<string>()
  for (const include of [
    'include=spam,rarity',
    'include=rarity&include=spam',
    'include[]=SPAM&include[]=rarity&include=rarity',
  ]) {
    const response = await api.get(`/api/v2/nft/${address}?limit=2&${include}`)
    const { cursor, result } = (await response.json()) as { cursor: string; result: object[] }
    expect(result).toEqual([expect.objectContaining(ranked), expect.objectContaining(ranked)])
    expect(response.headers.get('x-rarity-documents')).toBe('0')
    cursors.add(cursor)
    expect(await (await api.get(`/api/v2/nft/${address}/2?${include}`)).json()).toMatchObject(ranked)
  }
  expect(cursors.size).toBe(1)
  const [cursor] = cursors
  const next = `/api/v2/nft/${address}?cursor=${cursor}`
  for (const target of [next, `${next}&include=spam&include=rarity`])
    expect(await (await api.get(target)).json()).toMatchObject({ result: [ranked], cursor: null })
  expect((await api.get(`${next}&include=spam`)).status).toBe(400)
})

test.each([
  [`nft/${address}?include=spam,price`, 'include is "price"; allowed: rarity, spam or media_details'],
  [`nft/${address}/1?include=acquired`, 'include is "acquired"; allowed: rarity, spam, media_details or media_file'],
  [`0x${'77'.repeat(20)}/nft?include=spam,rarity`, 'include is "rarity"; allowed: acquired or spam'],
  [`0x${'77'.repeat(20)}/nft?include=spam,acquired`, 'include is acquired; allowed: only where x-index-scope is chain'],
])('error: %s', async (target, message) => {
  const response = await api.get(`/api/v2/${target}`)
  expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([400, message])
})

test('behavior: include=spam works with order=token_id', async () => {
  // In this order, the page walks the transfers.
  await api.db.run(
    `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash)
     SELECT partition, collection_id, last_position, token_id::int, token_id, '\\x00', '\\x01', 1, '\\x00', '\\x00' FROM token`,
  )
  const response = await api.get(`/api/v2/nft/${address}?limit=2&order=token_id&include=spam`)
  const body = (await response.json()) as { cursor: string; result: object[] }
  expect(body.result).toEqual([expect.objectContaining(scored), expect.objectContaining(scored)])
  expect(await (await api.get(`/api/v2/nft/${address}?cursor=${body.cursor}`)).json()).toMatchObject({
    result: [scored],
  })
})

test('behavior: include=spam works on wallet pages', async () => {
  await api.db.run(`UPDATE token SET owner = $1`, [Buffer.alloc(20, 0x77)])
  await fillWallets(api.db)
  const target = `/api/v2/0x${'77'.repeat(20)}/nft?limit=2`
  const body = (await (await api.get(`${target}&include=spam`)).json()) as { cursor: string; result: object[] }
  expect(body.result).toEqual([expect.objectContaining(scored), expect.objectContaining(scored)])
  expect(await (await api.get(`${target}&cursor=${body.cursor}`)).json()).toMatchObject({ result: [scored] })
  const plain = (await (await api.get(target)).json()) as { result: object[] }
  expect(plain.result[0]).not.toHaveProperty('spam_score')
})

test('behavior: include=spam works for one token, and is rejected at an earlier block', async () => {
  expect(await (await api.get(`/api/v2/nft/${address}/2?include=spam`)).json()).toMatchObject(scored)
  const earlier = await api.get(`/api/v2/nft/${address}?include=spam&as_of_block=5`)
  expect([earlier.status, ((await earlier.json()) as { message: string }).message]).toEqual([
    400,
    expect.stringContaining('include'),
  ])
})
