import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { heldTokens } from '../../../test/heldTokens.ts'
import { seed, store, storeFailure } from '../../../test/metadataPages.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import { type Address, hexToBuffer } from '../../util/hex.ts'
import type { CollectionState, HeldTokens, NftQuery } from '../query.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import { createNftQuery } from './createNftQuery.ts'

const [one, other, wide]: Address[] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`, `0x${'c3'.repeat(20)}`]
const [holder, second]: Address[] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`]
const plain = { hex: false, normalized: false, media: false }

let database: TestDatabase
let query: NftQuery
beforeAll(async () => {
  database = await createTestDatabase()
  query = createNftQuery({ db: database.db })
  await seedCollection(database.db, { address: one!, tokens: [1n, 2n, 3n] })
  await seedCollection(database.db, { address: other!, tokens: [2n ** 256n - 1n], columns: { standard: 'ERC1155' } })
  // Tokens with several holders have no owner.
  await database.db.run(`UPDATE token SET owner = NULL, amount = 12, holders = 2 WHERE token_id > 100`)
  await seedCollection(database.db, { address: wide!, tokens: [1n, 2n, 3n], columns: { metadata_longest: 9_000_000 } })
})
afterAll(() => database.drop())

const stateOf = async (address: Address): Promise<CollectionState> => (await query.state(1n, address))!

async function requested(address: Address, tokenId: bigint, by: Address, amount: string): Promise<HeldTokens> {
  const hashes = [tokenHash(address, String(tokenId))]
  const state = await stateOf(address)
  return heldTokens(database.db, { state, address, hashes, holder: by, amounts: [amount] })
}

type Held = { token_address: string; token_id: string; owner_of: string; amount: string }

async function held(tokens: readonly HeldTokens[], options = plain) {
  const { records, used } = await query.held(tokens, options)
  return { used, records: JSON.parse(records.toBuffer('[', ']').toString()) as Held[] }
}

test('default: records have the requested holder, amount and order, and otherwise equal those of the token route', async () => {
  const most = 2n ** 256n - 1n
  const tokens = [
    await requested(one!, 3n, holder!, '1'),
    await requested(other!, most, second!, '5'),
    await requested(one!, 1n, second!, '1'),
    await requested(other!, most, holder!, '7'),
  ]
  for (const options of [plain, { hex: true, normalized: true, media: true }]) {
    const { used, records } = await held(tokens, options)
    expect(used).toBe(4)
    expect(records.map(({ owner_of, amount }) => [owner_of, amount])).toEqual([
      [holder, '1'],
      [second, '5'],
      [second, '1'],
      [holder, '7'],
    ])
    for (const record of records) {
      const address = record.token_address as Address
      const alone = (await query.token(await stateOf(address), address, BigInt(record.token_id), options))!
      const { owner_of, amount, ...remaining } = record
      expect(JSON.parse(alone.toString())).toMatchObject(remaining)
      expect(Object.keys(record)).toEqual(Object.keys(JSON.parse(alone.toString())))
    }
  }
})

test('behavior: reads only as many records as the size limit of a response allows, and always the first', async () => {
  await database.db.run(
    `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, tried_at, record)
     SELECT k.partition, k.collection_id, k.token_hash, 'ok', 0, now(), '"token_uri":null,"metadata":"\\"' || repeat('x', 9000000) || '\\"","last_token_uri_sync":null,"last_metadata_sync":null'
     FROM token k JOIN collection c ON c.partition = k.partition AND c.id = k.collection_id WHERE c.metadata_longest > 0`,
  )
  const tokens = [await requested(wide!, 2n, holder!, '1'), await requested(wide!, 1n, holder!, '1')]
  const { used, records } = await held(tokens)
  expect([used, records.map(({ token_id }) => token_id)]).toEqual([1, ['2']])
})

test('behavior: the size limit of a response also applies to a known contract, whose tokens have no token rows', async () => {
  const { db } = database
  const hashes = [3n, 2n, 1n].map((tokenId) => tokenHash(wide!, String(tokenId)))
  const of = { state: await stateOf(wide!), address: wide!, holder: holder! }
  const tokens = [await heldTokens(db, { ...of, hashes, amounts: [1, 1, 1] })]
  await db.run(
    `DELETE FROM token t USING collection c WHERE c.partition = t.partition AND c.id = t.collection_id AND c.address = $1`,
    [hexToBuffer(wide!)],
  )
  const { used, records } = await held(tokens)
  expect([used, records.map(({ token_id }) => token_id)]).toEqual([1, ['3']])
})

test('behavior: one contract address on two chains gets the records of each chain, with the extra fields', async () => {
  const address: Address = `0x${'d4'.repeat(20)}`
  const ofChain = new Map<bigint, HeldTokens>()
  for (const chainId of [1n, 5n]) {
    const seeded = await seedCollection(database.db, {
      chainId,
      address,
      tokens: [7n],
      columns: { name: `On ${chainId}` },
    })
    const key = [seeded.partition, seeded.id]
    await database.db.run('UPDATE token SET last_position = $3 * 1048576 WHERE partition = $1 AND collection_id = $2', [
      ...[...key, chainId],
    ])
    await database.db.run(
      `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, tried_at, record)
       VALUES ($1, $2, $3::uuid, 'ok', 0, now(), '"token_uri":"' || $4 || '","metadata":null,"last_token_uri_sync":null,"last_metadata_sync":null')`,
      [...key, tokenHash(address, '7'), `uri of ${chainId}`],
    )
    const held = await heldTokens(database.db, {
      state: (await query.state(chainId, address))!,
      ...{ address, holder: holder!, hashes: [tokenHash(address, '7')], amounts: [1] },
    })
    ofChain.set(chainId, { ...held, members: [Buffer.from(`,"chain":"${chainId}"`)] })
  }
  expect((await held([...ofChain.values()])).records).toMatchObject([
    { chain: '1', name: 'On 1', token_uri: 'uri of 1', block_number: '1' },
    { chain: '5', name: 'On 5', token_uri: 'uri of 5', block_number: '5' },
  ])
})

test('behavior: tokens with the same hash on two chains each count with the larger metadata size of both', async () => {
  const address: Address = `0x${'e5'.repeat(20)}`
  const ofChain = new Map<bigint, HeldTokens>()
  for (const chainId of [1n, 5n]) {
    const columns = { metadata_longest: 9_000_000 }
    const { partition, id } = await seedCollection(database.db, { chainId, address, tokens: [1n, 2n], columns })
    if (chainId === 1n)
      await database.db.run(
        `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, tried_at, record)
         SELECT partition, collection_id, token_hash, 'ok', 0, now(), '"token_uri":null,"metadata":"\\"' || repeat('x', 9000000) || '\\"","last_token_uri_sync":null,"last_metadata_sync":null'
         FROM token WHERE partition = $1 AND collection_id = $2`,
        [partition, id],
      )
    const hashes = ['1', '2'].map((tokenId) => tokenHash(address, tokenId))
    const state = (await query.state(chainId, address))!
    const of = { state, address, holder: holder!, hashes }
    ofChain.set(chainId, await heldTokens(database.db, { ...of, amounts: [1, 1] }))
  }
  const { used } = await held([...ofChain.values()])
  expect(used).toBe(1)
})

test('behavior: a record in parts includes on request why a token has no metadata', async () => {
  const collection = await seed(database, [1n, 2n, 3n, 4n])
  const { address } = collection
  const reason = 'host.example answered "404"\n\u001e\u00fc\u{1f600}'
  await storeFailure(database, collection, { tokenId: 2n, uri: 'https://host.example/2', reason })
  await store(database, collection, new Map([1n, 4n].map((id) => [id, '{"name":"read"}'])))
  // The metadata that was read before stays.
  await storeFailure(database, collection, { tokenId: 4n, uri: 'https://host.example/4', reason })
  const state = await stateOf(address)
  const options = { ...plain, failures: true }
  const tokens = [1n, 2n, 3n, 4n].map((tokenId) => ({ state, address, tokenId }))
  const hashes = tokens.map(({ tokenId }) => tokenHash(address, String(tokenId)))
  const of = { state, address, holder: holder!, hashes }
  const ofHolder = await heldTokens(database.db, { ...of, amounts: hashes.map(() => 1) })
  const pages = [(await query.tokens(tokens, options))!, (await query.held([ofHolder], options)).records]
  for (const page of pages) {
    const found = page.parts().map(({ failure }) => failure && JSON.parse(Buffer.from(failure, 'latin1').toString()))
    expect(found).toEqual([null, reason, 'metadata not fetched yet', null])
  }
  const [failed] = (await query.tokens([tokens[1]!], plain))!.parts()
  expect(failed!.failure).toBeNull()
})
