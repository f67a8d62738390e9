import { zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LogToEmit, transferLogs } from '../../../../test/contracts/transferLogs.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { followMetadata, word } from '../../../../test/followMetadata.ts'
import { laterBy } from '../../../../test/laterBy.ts'
import { tokenTopic } from '../../../chain/evm/source/tokenEvents.ts'
import type { Address } from '../../../util/hex.ts'
import type { Standard } from '../../transfers/decodeTransfers.ts'

const [holder, creator] = ['11', '22'].map((byte): Address => `0x${byte.repeat(20)}`) as [Address, Address]
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const follow = (standard: Standard, tokens?: readonly bigint[]) => followMetadata(database.db, standard, tokens)

/** BatchMetadataUpdate of ERC-4906, both ends included. */
const changed = (from: bigint, to: bigint): LogToEmit => ({
  topics: [tokenTopic.batchMetadataUpdate],
  data: `0x${word(from).slice(2)}${word(to).slice(2)}`,
})

const idsFrom = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => String(from + i))

const mint721 = (id: bigint) => transferLogs.erc721(zeroAddress, holder, id)
const burn721 = (id: bigint) => transferLogs.erc721(holder, zeroAddress, id)
const mint1155 = (id: bigint) => transferLogs.single(holder, zeroAddress, holder, id, 1n)

test('default: tokens minted in a block become due, and moved ones do not', async () => {
  const { apply, readDue, read } = await follow('ERC721', [1n])
  await read()
  await apply([mint721(2n), mint721(3n), transferLogs.erc721(holder, creator, 1n)])
  expect(await readDue()).toEqual(['2', '3'])
})

const sent = {
  ERC721: (id: bigint) => transferLogs.erc721(creator, holder, id),
  ERC1155: (id: bigint) => transferLogs.single(creator, creator, holder, id, 5n),
  'ERC1155 in a batch': (id: bigint) => transferLogs.batch(creator, creator, holder, [id, id + 1n], [5n, 0n]),
}

test.each(Object.entries(sent))(
  'behavior: a token whose first transfer is from its creator becomes due, until a reorg (%s)',
  async (standard, send) => {
    const { apply, readDue, read, undo } = await follow(standard === 'ERC721' ? 'ERC721' : 'ERC1155')
    await apply([send(7n)])
    expect(await readDue()).toEqual(['7'])
    await undo(1)
    expect(await readDue()).toEqual([])
    await apply([send(7n)])
    await read()
    await apply([send(7n)])
    expect(await readDue()).toEqual([])
  },
)

test('behavior: a burned token that its creator sends again is a new token, and the old one after a reorg', async () => {
  const { apply, readDue, read, undo } = await follow('ERC721')
  await apply([sent.ERC721(1n), sent.ERC721(2n)])
  await read()
  await apply([burn721(1n)])
  await apply([sent.ERC721(1n), burn721(2n), sent.ERC721(2n)])
  expect(await readDue()).toEqual(['1', '2'])
  await read()
  await undo(2)
  expect(await readDue()).toEqual(['1', '2'])
})

test('behavior: more mints of a known ERC-1155 id do not make it due, but an unknown id beside it', async () => {
  const { apply, readDue, read } = await follow('ERC1155')
  await apply([mint1155(1n)])
  expect(await readDue()).toEqual(['1'])
  await read()
  for (let i = 0; i < 3; i++) await apply([mint1155(1n), mint1155(1n)])
  expect(await readDue()).toEqual([])
  await apply([mint1155(1n), transferLogs.batch(holder, zeroAddress, holder, [1n, 2n], [5n, 5n])])
  expect(await readDue()).toEqual(['2'])
})

test('behavior: a mint of a failed ERC-1155 id neither ends its pause nor resets its attempts', async () => {
  const { apply, readDue, read, key } = await follow('ERC1155')
  await apply([mint1155(1n)])
  await read(['1'])
  await apply([mint1155(1n)])
  expect(await readDue()).toEqual([])
  expect(await database.db.rows('SELECT attempts FROM metadata_due WHERE collection_id = $1', [key.id])).toEqual([[7]])
})

test('behavior: a mint of an id that is already due keeps its due time', async () => {
  const { apply, key } = await follow('ERC1155')
  const place = () => database.db.rows('SELECT due_at FROM metadata_due WHERE collection_id = $1', [key.id])
  await apply([mint1155(1n)])
  const earlier = laterBy('due_at', "interval '-1 hour'")
  await database.db.run(`UPDATE metadata_due SET due_at = ${earlier} WHERE collection_id = $1`, [key.id])
  const before = await place()
  await apply([mint1155(1n)])
  expect(await place()).toEqual(before)
})

test('behavior: a fully burned id is deleted, and is read when it is minted again', async () => {
  const { apply, readDue, read } = await follow('ERC1155')
  await apply([mint1155(1n)])
  await read()
  await apply([transferLogs.single(holder, holder, zeroAddress, 1n, 1n)])
  await apply([mint1155(1n)])
  expect(await readDue()).toEqual(['1'])
})

test('behavior: an ERC-721 token that is burned and minted again in one block is read again', async () => {
  const { apply, readDue, read } = await follow('ERC721')
  await apply([mint721(1n), mint721(2n)])
  await read()
  await apply([burn721(1n), mint721(1n)])
  expect(await readDue()).toEqual(['1'])
})

test('behavior: a URI event beside the mint of a known id triggers a metadata read', async () => {
  const { apply, readDue, read } = await follow('ERC1155')
  await apply([mint1155(1n), mint1155(2n)])
  await read(['2'])
  const uri = (id: bigint): LogToEmit => ({ topics: [tokenTopic.uri, word(id)], data: '0x' })
  await apply([mint1155(1n), uri(1n), mint1155(2n), uri(2n)])
  expect(await readDue()).toEqual(['1', '2'])
})

const update = (id: bigint) => ({ topics: [tokenTopic.metadataUpdate], data: word(id) })
const updateAll = { topics: [tokenTopic.batchMetadataUpdate], data: `${word(0n)}${word(2n ** 200n).slice(2)}` } as const

test('behavior: a token that was read because of an event is read again if the block of the event is undone', async () => {
  const { apply, readDue, read, undo } = await follow('ERC721', [1n, 2n, 3n])
  await apply([update(3n)])
  await apply([update(1n)])
  await apply([update(2n), update(9n)])
  await read()
  await undo(2)
  expect(await readDue()).toEqual(['1', '2'])
  // A reorganisation makes the tokens due only once; the next one does not do it again.
  await read()
  await apply([])
  await undo(1)
  expect(await readDue()).toEqual([])
})

test('behavior: if the block of a collection-wide update is undone, the collection is swept again', async () => {
  const { apply, readDue, isUnswept, read, sweep, undo } = await follow('ERC721', [1n, 2n])
  await apply([update(1n)])
  await apply([updateAll])
  expect(await isUnswept()).toBe(true)
  await sweep()
  await read()
  await undo(1)
  expect(await isUnswept()).toBe(true)
  await sweep()
  expect(await readDue()).toEqual(['1', '2'])
})

test('behavior: if the block of an update of a wide range is undone, the tokens of the range are read again', async () => {
  const { apply, readDue, read, sweep, undo } = await follow('ERC721', [1n, 2n, 5_000n, 9_999n])
  await apply([changed(2n, 5_000n), update(9_999n)])
  await sweep()
  await read()
  await undo(1)
  await sweep()
  expect(await readDue()).toEqual(['2', '5000', '9999'])
})

test('behavior: a token burned and minted again in undone blocks is read again as the old token', async () => {
  const { apply, readDue, read, undo } = await follow('ERC721')
  await apply([mint721(1n), mint721(2n)])
  await read()
  await apply([burn721(1n)])
  await apply([mint721(1n), mint721(3n)])
  await read()
  await undo(2)
  expect(await readDue()).toEqual(['1'])
})

test('behavior: finalizing a block deletes the undo records of its metadata updates', async () => {
  const { apply, finalize, key } = await follow('ERC721', [1n])
  await apply([update(1n)])
  await apply([updateAll])
  const kept = () => database.db.rows('SELECT 1 FROM metadata_undo WHERE collection_id = $1', [key.id])
  expect(await kept()).toHaveLength(2)
  await finalize()
  expect(await kept()).toEqual([])
})

test('behavior: an event that lists 101 ids triggers their reads without a sweep', async () => {
  const { apply, readDue, read, isUnswept } = await follow('ERC721', idsFrom(0, 299).map(BigInt))
  await read()
  await apply([changed(100n, 200n)])
  expect(await readDue()).toEqual(idsFrom(100, 200))
  expect(await isUnswept()).toBe(false)
})

test('behavior: a sweep finds the ids over a thousand of one block, and only these are read again', async () => {
  const ids = [...idsFrom(0, 40), ...idsFrom(1_000_000, 1_000_040)]
  const { apply, readDue, read, sweep } = await follow('ERC721', ids.map(BigInt))
  await read()
  await apply([changed(30n, 39n), changed(40n, 1_000_009n), changed(1_000_020n, 1_000_029n)])
  expect(await readDue()).toEqual([...idsFrom(30, 39), ...idsFrom(1_000_020, 1_000_029)])
  await read()
  await sweep()
  expect(await readDue()).toEqual(['40', ...idsFrom(1_000_000, 1_000_009)])
})

test('behavior: reads the greatest possible id, and ignores a range that ends before it begins', async () => {
  const last = 2n ** 256n - 1n
  const { apply, readDue, read, sweep, isUnswept } = await follow('ERC721', [1n, 7n, last])
  await read()
  await apply([changed(7n, 1n)])
  expect(await isUnswept()).toBe(false)
  await apply([changed(2n, last)])
  await sweep()
  expect(await readDue()).toEqual(['7', String(last)])
})

test.each([
  ['a named update', 1n, 1n],
  ['an update of a few', 0n, 50n],
  ['an update of many', 0n, 5_000n],
  ['an update of all', 0n, 2n ** 256n - 1n],
])('behavior: %s ends the pause of a failed token and resets its attempts', async (_, from, to) => {
  const { apply, readDue, read, sweep, key } = await follow('ERC721', [1n, 2n])
  await read(['1'])
  await apply([changed(from, to)])
  await sweep()
  expect(await readDue()).toContain('1')
  expect(
    await database.db.rows('SELECT attempts FROM metadata_due WHERE collection_id = $1 AND token_id = 1', [key.id]),
  ).toEqual([[0]])
})
