import { expect, onTestFinished, test } from 'vitest'
import { full, publicUrl, read, seed, store } from '../../test/metadataPages.ts'
import { seedCoins, seededCoin } from '../../test/seedCoins.ts'
import { seedCollection } from '../../test/seedCollection.ts'
import { type Replica, startReplicated } from '../../test/startReplicated.ts'
import type { Database } from '../db/database.ts'
import { createPipeline } from '../db/pipeline/pipeline.ts'
import { positionOf } from '../nft/transfers/position.ts'
import type { OpenChains } from '../sync/openChains.ts'
import type { Address } from '../util/hex.ts'
import { noopLog } from '../util/log.ts'
import { createPageQueries } from './createPageQueries.ts'

const noNodes = { open: () => Promise.reject(new Error('asks a node')) } as unknown as OpenChains

function queriesOf(replica: Replica, primary: Database, clockBehindMs = 0) {
  const { connection } = replica
  const reader = createPipeline({ connection, connections: 2, queueTimeoutMs: 60_000, log: noopLog })
  onTestFinished(() => reader.close())
  return createPageQueries({
    ...{ db: replica.db, reader, lookups: reader, primary, clockBehindMs: () => clockBehindMs },
    ...{ openChains: noNodes, publicUrl: () => publicUrl, refreshAfterMs: 0 },
  })
}

test('behavior: the first view of a page writes its requests to the primary, but none for a removed collection', async () => {
  const { primary, replica } = await startReplicated()
  const { db } = primary
  const [kept, removed] = [await seed(primary, [1n]), await seed(primary, [1n])]
  const document = JSON.stringify({ name: 'one', image: 'https://images.example/1' })
  for (const collection of [kept, removed]) await store(primary, collection, new Map([[1n, document]]))
  const { query } = queriesOf(replica, db).nft
  await replica.untilReplayed()
  await replica.pause()
  await db.run('DELETE FROM collection WHERE partition = $1 AND id = $2', [removed.partition, removed.id])
  await db.run('TRUNCATE media, media_turn, metadata_due')
  for (const collection of [kept, removed]) {
    const records = await read(query, collection, { ...full, rarity: true })
    expect(records.map(({ media }) => media?.status)).toEqual(['processing'])
  }
  const requested = 'SELECT collection_id FROM '
  for (const table of ['media', 'media_turn', 'metadata_due'])
    expect(await db.rows(requested + table), table).toEqual([[kept.id]])
  expect(await db.rows('SELECT id FROM collection WHERE rarity_asked_at IS NOT NULL')).toEqual([[kept.id]])
})

test('behavior: transfers show block times stored on the primary after the replica stopped replaying', async () => {
  const { primary, replica } = await startReplicated()
  const { db } = primary
  const address: Address = `0x${'7a'.repeat(20)}`
  const { partition, id } = await seedCollection(db, { address })
  for (const [block, hash] of [
    [300, 'a1'],
    [301, 'b2'],
  ] as const)
    await db.run(
      `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash)
       VALUES ($1, $2, $3, 0, 1, decode(repeat('00', 20), 'hex'), decode(repeat('01', 20), 'hex'), 1, '\\x00', decode(repeat('${hash}', 32), 'hex'))`,
      [partition, id, positionOf(block, 0)],
    )
  const { transfers, query } = queriesOf(replica, db).nft
  await replica.untilReplayed()
  await replica.pause()
  await db.run(
    `INSERT INTO block (chain_id, number, hash, parent_hash, timestamp) VALUES
       (1, 300, decode(repeat('a1', 32), 'hex'), '\\x00', 1700000000), (1, 301, decode(repeat('b2', 32), 'hex'), '\\x00', 1700000012)`,
  )
  const state = (await query.state(1n, address))!
  const times = async () => {
    const { records } = await transfers.page({
      ...{ source: { of: 'contract', chainId: 1n, state, address }, range: { from: null, to: null } },
      ...{ order: 'ASC', after: null, limit: 5, hex: false },
    })
    const shown = JSON.parse(records.toBuffer('[', ']').toString()) as { block_timestamp: string }[]
    return shown.map((transfer) => transfer.block_timestamp)
  }
  const known = ['2023-11-14T22:13:20.000Z', '2023-11-14T22:13:32.000Z']
  expect(await times()).toEqual(known)
  expect(await db.rows('SELECT block_time FROM transfer ORDER BY position')).toEqual([[1700000000n], [1700000012n]])
  // The times are cached, so there is no further request.
  await db.run('DELETE FROM block')
  expect(await times()).toEqual(known)
})

test('behavior: head ages of collections, wallets and networks follow the clock of the primary', async () => {
  const { primary, replica } = await startReplicated()
  const { db } = primary
  const address: Address = `0x${'7b'.repeat(20)}`
  await seedCollection(db, { address })
  await db.run('UPDATE chain SET confirmed_at = now()')
  await seedCoins(db, { coins: [seededCoin(1)], from: 0n, to: 9n })
  await db.run('UPDATE coin_network SET confirmed_at = now()')
  await replica.untilReplayed()
  const ages = async (behindMs: number) => {
    const { nft, coin } = queriesOf(replica, db, behindMs)
    const states = await nft.query.states(1n, [address])
    const found = [
      await nft.query.state(1n, address),
      states.get(address),
      await nft.wallets.state(1n),
      await coin.network('mainnet'),
    ]
    return found.map((state) => state!.head!.ageMs)
  }
  const before = await ages(0)
  for (const [i, age] of (await ages(500_000)).entries()) expect(age).toBeGreaterThan(before[i]! + 499_999)
})
