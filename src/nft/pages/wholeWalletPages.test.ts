import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { fillWallets } from '../../../test/fillWallets.ts'
import { publicUrl, type RecordBody, type Seeded, seed, store } from '../../../test/metadataPages.ts'
import { rowsRead } from '../../../test/rowsRead.ts'
import { bytesOf } from '../../db/pipeline/byteRows.ts'
import type { Address } from '../../util/hex.ts'
import type { WalletPageOptions, WalletPlace } from '../walletQuery.ts'
import { createNftQuery } from './createNftQuery.ts'
import { readWalletTokens } from './wallets/walletTokens.ts'

const wallet: Address = `0x${'77'.repeat(20)}`
const holder = Buffer.from(wallet.slice(2), 'hex')

let database: TestDatabase
const seeded: Seeded[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  const ids = [1n, 2n, 3n, 4n, 5n]
  // The collections are made one after another, as pages begin with the last one.
  for (let i = 0; i < 3; i++) seeded.push(await seed(database, ids))
  const [first, spam, erc1155] = seeded as [Seeded, Seeded, Seeded]
  const hat = (value: string) =>
    JSON.stringify({ image: `ipfs://q/${value}`, attributes: [{ trait_type: 'Hat', value }] })
  for (const collection of seeded)
    await store(database, collection, new Map([1n, 2n, 4n].map((id) => [id, hat(`${id % 2n}`)])))
  await db.run('UPDATE collection SET possible_spam = true, name = NULL WHERE id = $1', [spam.id])
  await db.run(`UPDATE collection SET standard = 'ERC1155', symbol = $2 WHERE id = $1`, [erc1155.id, 'quoted "\u001f]'])
  await db.run('UPDATE collection SET standard = NULL WHERE id = $1', [first.id])
  await db.run(`UPDATE collection SET standard = 'ERC721' WHERE id = $1`, [first.id])
  await db.run('UPDATE token SET owner = $1 WHERE collection_id <> $2', [holder, erc1155.id])
  await db.run('UPDATE token SET owner = NULL, amount = 9, holders = 2 WHERE collection_id = $1', [erc1155.id])
  await db.run(
    'INSERT INTO balance SELECT partition, collection_id, token_hash, $1, 4 FROM token WHERE collection_id = $2',
    [holder, erc1155.id],
  )
  await fillWallets(db)
})
afterAll(() => database?.drop())

const forms = [false, true].flatMap((normalized) => [false, true].map((media) => ({ normalized, media })))

type Requested = {
  only?: bigint[] | null
  excludeSpam?: boolean
  metadata: WalletPageOptions['metadata']
  limit: number
}

/** Returns all records of the wallet, page by page, and the number of pages whose metadata came with the tokens. */
async function walk({ only = null, excludeSpam = false, metadata, limit }: Requested, form: (typeof forms)[number]) {
  const { db } = database
  const query = createNftQuery({ db, publicUrl: () => publicUrl })
  const filter = { chainId: 1n, wallet, only, excludeSpam }
  const records: RecordBody[] = []
  let read = 0
  for (let after: WalletPlace | null = null; ; ) {
    const page = await readWalletTokens(bytesOf(db), filter, after, { limit, metadata })
    if (page.metadata) read++
    const held = await query.held(page.held, { hex: false, ...form }, page.metadata)
    records.push(...(JSON.parse(held.records.toBuffer('[', ']').toString()) as RecordBody[]))
    if (page.next === null) return { records, read }
    after = page.next
  }
}

test('behavior: records are the same whether metadata is read with the tokens or after them', async () => {
  const ids = seeded.map(({ id }) => id)
  const filters = [{}, { excludeSpam: true }, { only: ids.slice(1) }, { only: ids.slice(0, 2), excludeSpam: true }]
  // The first walk with previews requests them. It reads metadata with the tokens.
  const unasked = await walk({ metadata: forms[3]!, limit: 100 }, forms[3]!)
  expect(unasked.records.filter(({ media }) => media?.status === 'processing')).toHaveLength(9)
  for (const form of forms)
    for (const filter of filters)
      for (const limit of [1, 4, 100]) {
        const apart = await walk({ ...filter, limit, metadata: null }, form)
        const together = await walk({ ...filter, limit, metadata: form }, form)
        expect(together.records).toEqual(apart.records)
        expect([apart.read, together.read > 0]).toEqual([0, true])
        expect(apart.records.length).toBeGreaterThan(4)
        expect(apart.records.some(({ metadata }) => metadata !== null)).toBe(true)
      }
})

test('behavior: metadata that may exceed the size limit of a response is not read with the tokens', async () => {
  const { db } = database
  const [first] = seeded as [Seeded]
  await db.run('UPDATE collection SET metadata_longest = 6000000 WHERE id = $1', [first.id])
  const form = forms[3]!
  const filter = { chainId: 1n, wallet, only: null, excludeSpam: false }
  const metadataRead = (limit: number) =>
    db.transaction(async (tx) => {
      let page: Awaited<ReturnType<typeof readWalletTokens>> | undefined
      const rows = await rowsRead(tx, 'token_metadata', async () => {
        page = await readWalletTokens(bytesOf(tx.fresh), filter, null, { limit, metadata: form })
      })
      return { rows, metadata: page!.metadata }
    })
  expect(await metadataRead(100)).toEqual({ rows: 0, metadata: null })
  expect(await metadataRead(9)).toMatchObject({ metadata: expect.any(Array) })
  const apart = await walk({ metadata: null, limit: 100 }, form)
  expect((await walk({ metadata: form, limit: 100 }, form)).records).toEqual(apart.records)
  expect(apart.records).toHaveLength(15)
})
