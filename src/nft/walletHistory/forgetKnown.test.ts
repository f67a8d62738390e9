import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import type { Address } from '../../util/hex.ts'
import { insertKnown, readUnnamed, requestNames, rereadNames, setNames } from '../store/knownContracts.ts'
import { positionOf } from '../transfers/position.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import { zeroAddress } from '../transfers/transfer.ts'
import { forgetMetadata, remadeIn } from './forgetKnown.ts'
import type { Move, WalletKey } from './movesOf.ts'
import { storeMoves } from './storeMoves.ts'
import { revertMoves } from './undoMoves.ts'

const chainId = 1n
const holder = '77'.repeat(20)
const other = '88'.repeat(20)
const everyPartition = Array.from({ length: 256 }, (_, i) => BigInt(i))
const contract: Address = `0x${'a1'.repeat(20)}`
let database: TestDatabase
let wallet: WalletKey

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  const { db } = database
  await db.transaction((tx) =>
    tx.script(
      'TRUNCATE collection, token_metadata, token_document, wallet, wallet_move, wallet_move_block, wallet_holding',
    ),
  )
  const [row] = await db.rows<[bigint]>(
    `INSERT INTO wallet (partition, chain_id, address, requested_by, status) VALUES (3, $1, $2, 0, 'live') RETURNING id`,
    [chainId, Buffer.from(holder, 'hex')],
  )
  wallet = { partition: 3, id: row![0] }
  await insertKnown(db, chainId, [{ address: contract, standard: 'ERC721' }], { discovered: false })
  await requestNames(db, chainId, [{ address: contract, standard: 'ERC721' }], { discovered: false })
  const [known] = await readUnnamed(db, everyPartition, 1)
  const { partition, id } = known!
  await setNames(db, known!, { name: 'One', symbol: null, standard: null })
  for (const tokenId of ['1', '2', '3'])
    await db.run(
      `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, record, document_hash, tried_at)
       VALUES ($1, $2, $3, 'ok', 0, '', '\\x01', now())`,
      [partition, id, tokenHash(contract, tokenId)],
    )
})

const move = (block: number, tokenId: string, from: string, to: string, operator: string | null = null): Move => ({
  ...{ wallet, contract, hash: tokenHash(contract, tokenId) },
  transfer: {
    ...{ position: positionOf(block, Number(tokenId)), item: 0, tokenId, from, to, amount: '1', operator },
    ...{ transactionHash: '00'.repeat(32), transactionIndex: 0, blockHash: '11'.repeat(32), blockTime: 1 },
  },
})

/** Token ids with metadata, and whether the name of their contract is to be read again. */
async function known(): Promise<{ tokens: string[]; isUnnamed: boolean }> {
  const hashes = await database.db.rows<[string]>(`SELECT encode(uuid_send(token_hash), 'hex') FROM token_metadata`)
  const [row] = await database.db.rows<[boolean]>('SELECT checked_at IS NULL AND retry_at <= now() FROM collection')
  const found = new Set(hashes.map(([hash]) => hash))
  return { tokens: ['1', '2', '3'].filter((id) => found.has(tokenHash(contract, id))), isUnnamed: row![0] }
}

test('behavior: a token of a known contract that is minted or burned loses its metadata; one that moves, or of ERC-1155, keeps it', async () => {
  const moves = [
    move(10, '1', zeroAddress, holder),
    move(10, '2', other, holder),
    move(10, '3', zeroAddress, holder, other),
  ]
  await database.db.transaction((tx) => forgetMetadata(tx, chainId, remadeIn(moves)))
  expect(await known()).toEqual({ tokens: ['2', '3'], isUnnamed: false })
  await database.db.transaction((tx) => forgetMetadata(tx, chainId, remadeIn([move(11, '2', holder, zeroAddress)])))
  expect(await known()).toEqual({ tokens: ['3'], isUnnamed: false })
})

test('behavior: a reorg that undoes mints removes their metadata, and has the name of the contract read again', async () => {
  const { db } = database
  const moves = [
    move(9, '1', other, holder),
    move(10, '1', holder, other),
    move(11, '1', other, holder),
    move(11, '3', zeroAddress, holder, other),
  ]
  await db.transaction((tx) => storeMoves(tx, { moves, oversized: [] }, { chainId, above: 0n }))
  await db.transaction((tx) => revertMoves(tx, chainId, 11n))
  expect(await known()).toEqual({ tokens: ['1', '2', '3'], isUnnamed: false })
  await db.transaction((tx) => revertMoves(tx, chainId, 10n))
  expect(await known()).toEqual({ tokens: ['1', '2'], isUnnamed: true })
})

test('behavior: a reorg that undoes all moves of a token has it and its contract read again, as neither may exist', async () => {
  const { db } = database
  const moves = [move(11, '2', other, holder)]
  await db.transaction((tx) => storeMoves(tx, { moves, oversized: [] }, { chainId, above: 0n }))
  await db.transaction((tx) => revertMoves(tx, chainId, 10n))
  expect(await known()).toEqual({ tokens: ['1', '3'], isUnnamed: true })
})

test('behavior: a name that was being read during a reorg is not stored, but read again', async () => {
  const { db } = database
  await rereadNames(db, chainId, [contract])
  const [running] = await readUnnamed(db, everyPartition, 1)
  await rereadNames(db, chainId, [contract])
  await setNames(db, running!, { name: 'Undone', symbol: null, standard: null })
  expect(await db.rows('SELECT name, checked_at FROM collection')).toEqual([['One', null]])
  const [again] = await readUnnamed(db, everyPartition, 1)
  await setNames(db, again!, { name: 'Two', symbol: null, standard: 'ERC1155' })
  expect(await db.rows('SELECT name, standard, retry_at FROM collection')).toEqual([['Two', 'ERC1155', null]])
})

test('behavior: a contract that is also a collection keeps everything, as the collection decides', async () => {
  const { db } = database
  await db.run(`UPDATE collection SET status = 'live'`)
  await db.transaction((tx) =>
    storeMoves(tx, { moves: [move(11, '1', zeroAddress, holder)], oversized: [] }, { chainId, above: 0n }),
  )
  await db.transaction((tx) => revertMoves(tx, chainId, 10n))
  expect(await known()).toEqual({ tokens: ['1', '2', '3'], isUnnamed: false })
})
