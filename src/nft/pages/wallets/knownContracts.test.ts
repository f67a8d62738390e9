import { afterAll, beforeAll, expect, test } from 'vitest'
import { countStatements } from '../../../../test/countStatements.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import type { Database } from '../../../db/database.ts'
import { partitionOf } from '../../../sync/partition.ts'
import { type Address, hexToBuffer } from '../../../util/hex.ts'
import { tokenHash } from '../../transfers/tokenHash.ts'
import { createWholeQuery } from './createWholeQuery.ts'

const wallet: Address = `0x${'77'.repeat(20)}`
const [low, high]: [Address, Address] = [`0x${'01'.repeat(20)}`, `0x${'fe'.repeat(20)}`]

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  const partition = partitionOf(1n, wallet)
  await db.run(
    `INSERT INTO chain (id, genesis_hash, block_number, block_hash, head_number, finalized_number) VALUES (1, '\\x00', 20, '\\x00', 20, 20)`,
  )
  const [row] = await db.rows<[bigint]>(
    `INSERT INTO wallet (partition, chain_id, address, requested_by, status, live_since, from_block) VALUES ($1, 1, $2, 0, 'live', now(), 0) RETURNING id`,
    [partition, hexToBuffer(wallet)],
  )
  for (const [contract, id] of [
    [low, '0'],
    [high, '7'],
  ] as const)
    await db.run(
      `INSERT INTO wallet_holding (partition, wallet_id, contract, token_hash, token_id, erc1155, amount, last_position, first_position, received_position, received_time)
       VALUES ($1, $2, $3, $4::uuid, $5, false, 1, 1, 1, 1, 60)`,
      [partition, row![0], hexToBuffer(contract), tokenHash(contract, id), id],
    )
})
afterAll(() => database?.drop())

/** A query of a process that remembers no page. */
const openFresh = (primary: Database = database.db) =>
  createWholeQuery({
    ...{ db: database.db, primary, blockHashes: undefined as never, openChains: undefined as never },
  })

test('behavior: a page requests only names and metadata that were not requested before, and else writes nothing', async () => {
  const { db } = database
  const metadata = { normalized: false, media: false }
  const form = { limit: 10, order: 'contract', acquired: false, metadata } as const
  /** Shows pages as a process that remembers none of them, and returns the number of its statements on the primary. */
  async function show(): Promise<number> {
    const { counted, statements } = countStatements(db)
    const fresh = openFresh(counted)
    const of = (await fresh.state(1n, wallet))!
    const filter = { chainId: 1n, wallet, of, excludeSpam: true, asOf: null }
    const { held } = await fresh.tokens({ ...filter, contracts: [low, high] }, null, form)
    expect(held.map(({ address }) => address)).toEqual([high, low])
    await fresh.collections(filter, null, { limit: 10, order: 'contract' })
    return statements()
  }
  const queued = () =>
    db.rows(
      'SELECT c.address, d.token_id::text FROM metadata_due d JOIN collection c ON c.partition = d.partition AND c.id = d.collection_id ORDER BY c.address',
    )
  await db.run('DELETE FROM metadata_due')
  expect(await show()).toBeGreaterThan(0)
  const all = [
    [hexToBuffer(low), '0'],
    [hexToBuffer(high), '7'],
  ]
  expect(await queued()).toEqual(all)
  await db.run(
    `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, record, tried_at)
     SELECT partition, collection_id, token_hash, 'ok', 0, '', now() FROM metadata_due`,
  )
  await db.run('DELETE FROM metadata_due')
  expect(await show()).toBe(0)

  await db.run('DELETE FROM token_metadata WHERE collection_id = (SELECT id FROM collection WHERE address = $1)', [
    hexToBuffer(low),
  ])
  expect(await show()).toBeGreaterThan(0)
  expect(await queued()).toEqual(all.slice(0, 1))

  await db.run('DELETE FROM metadata_due')
  await db.run(
    `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, record, tried_at)
     SELECT partition, id, $2::uuid, 'ok', 0, '', now() FROM collection WHERE address = $1`,
    [hexToBuffer(low), tokenHash(low, '0')],
  )
  for (const column of ['discovered = true', 'checked_at = NULL, retry_at = NULL']) {
    await db.run(`UPDATE collection SET ${column} WHERE address = $1`, [hexToBuffer(high)])
    expect(await show()).toBeGreaterThan(0)
    expect(await show()).toBe(0)
  }
  expect(await queued()).toEqual([])
})

test('behavior: pages filtered by spam are not synced, and request names, while contracts on them have no verdict', async () => {
  const { db } = database
  const set = (columns: string) =>
    db.run(`UPDATE collection SET ${columns} WHERE address = ANY($1)`, [[low, high].map(hexToBuffer)])
  /** Contracts of tokens and contracts with one filter, and whether these pages are synced. */
  async function show(filter: { excludeSpam: boolean; onlySpam?: boolean; bySpam?: boolean }) {
    const fresh = openFresh()
    const of = (await fresh.state(1n, wallet))!
    const given = { chainId: 1n, wallet, of, ...filter, asOf: null }
    const form = { limit: 10, order: 'contract', acquired: false, metadata: null } as const
    const { held, state } = await fresh.tokens({ ...given, contracts: [low, high] }, null, form)
    const page = await fresh.collections(given, null, { limit: 10, order: 'contract' })
    const contracts = page.collections.map(({ address }) => address)
    for (const { synced, progress } of [state!, page.state!]) expect(progress < 1).toBe(!synced)
    return [held.map(({ address }) => address), contracts, state!.synced, page.state!.synced]
  }
  const exclude = { excludeSpam: true }
  const only = { excludeSpam: false, onlySpam: true }
  const none = { excludeSpam: false }
  await set(`discovered = false, checked_at = NULL, retry_at = NULL, assessed_at = NULL, spam_reasons = '{}'`)
  expect(await show(none)).toEqual([[high, low], [high, low], true, true])
  await set('checked_at = NULL, retry_at = NULL')
  expect(await show(only)).toEqual([[], [], false, false])
  expect(await db.rows(`SELECT count(*) FROM collection WHERE status = 'known' AND retry_at IS NOT NULL`)).toEqual([
    [2n],
  ])
  expect(await show(exclude)).toEqual([[high, low], [high, low], false, false])
  expect(await show({ ...none, bySpam: true })).toEqual([[high, low], [high, low], false, false])

  // A failed read of the names leaves nothing to decide on.
  await set('attempts = 1')
  expect(await show(exclude)).toEqual([[high, low], [high, low], true, true])
  expect(await show(only)).toEqual([[], [], true, true])
  await set('attempts = 0, spam_override = true')
  expect(await show(only)).toEqual([[high, low], [high, low], true, true])
  await set(
    `spam_override = NULL, checked_at = now(), assessed_at = now(), spam_reasons = '{listed}', possible_spam = true`,
  )
  expect(await show(only)).toEqual([[high, low], [high, low], true, true])
  expect(await show(exclude)).toEqual([[], [], true, true])
  // Lists changed: the last verdict counts until the next.
  await set('assessed_at = NULL')
  expect(await show(only)).toEqual([[high, low], [high, low], true, true])
})

test('behavior: a page does not wait for the verdict on a contract of the next page, whose names it does not request', async () => {
  const { db } = database
  await db.run(
    `UPDATE collection SET checked_at = NULL, retry_at = NULL, assessed_at = NULL, spam_reasons = '{}', possible_spam = false`,
  )
  await db.run(
    `UPDATE collection SET checked_at = now(), assessed_at = now(), spam_reasons = '{fine}' WHERE address = $1`,
    [hexToBuffer(high)],
  )
  const query = openFresh()
  const of = (await query.state(1n, wallet))!
  const filter = { chainId: 1n, wallet, of, contracts: null, excludeSpam: true, asOf: null }
  const tokens = await query.tokens(filter, null, { limit: 1, order: 'contract', acquired: false, metadata: null })
  const contracts = await query.collections(filter, null, { limit: 1, order: 'contract' })
  expect([tokens.state!.synced, contracts.state!.synced]).toEqual([true, true])
  expect([tokens.next, contracts.next]).toEqual([expect.anything(), expect.anything()])
})
