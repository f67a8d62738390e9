import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import type { Address } from '../../util/hex.ts'
import { storeTransfers } from '../store/storeTransfers.ts'
import type { Standards } from '../transfers/decodeTransfers.ts'
import { blockOfPosition, lastPositionOf, positionOf } from '../transfers/position.ts'
import { mintAt } from '../transfers/tokenFacts.ts'
import { type Transfer, zeroAddress } from '../transfers/transfer.ts'
import { type CollectionKey, transferGroup } from '../transfers/transferGroup.ts'
import { countAt, countHoldingsAt } from './countAt.ts'
import { type HolderRow, readHoldersAt } from './readHoldersAt.ts'
import { holdingAt, stateAt } from './stateAt.ts'

const address = '0x00000000000000000000000000000000000000aa'
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

type Stored = CollectionKey & { standards: Standards }

/** A contract with tokens of both standards reports ERC-721. */
async function createCollection(standards: Standards, contract: Address): Promise<Stored> {
  const standard = standards === 'both' ? 'ERC721' : standards
  await database.db.run('DELETE FROM collection WHERE address = $1', [Buffer.from(contract.slice(2), 'hex')])
  const [row] = await database.db.rows<[bigint]>(
    `INSERT INTO collection (partition, chain_id, address, status, standard, from_block) VALUES (7, 1, $1, 'live', $2, 0) RETURNING id`,
    [Buffer.from(contract.slice(2), 'hex'), standard],
  )
  return { partition: 7, id: row![0], chainId: 1n, address: contract, standard, standards, idInData: false }
}

const store = (collection: CollectionKey, transfers: readonly Transfer[]) =>
  database.db.transaction((tx) => storeTransfers(tx, [transferGroup(collection, transfers)]))

const hash = 'ab'.repeat(32)
const place = { transactionHash: hash, transactionIndex: 0, blockHash: hash, blockTime: null }

const owners = [zeroAddress, ...['11', '22', '33'].map((digits) => digits.repeat(20))]

/**
 * Transfers of few tokens among few owners in chain order. They include those of hostile contracts: mints of existing tokens, burns of
 * missing ones, transfers from non-holders. An ERC-1155 log may contain a token twice.
 */
const historyOf = (standards: Standards) =>
  fc
    .array(
      fc.record({
        blocks: fc.nat(2),
        tokens: fc.array(fc.nat(4), { minLength: 1, maxLength: standards === 'ERC721' ? 1 : 3 }),
        from: fc.nat(3),
        to: fc.nat(3),
        amount: fc.nat(3),
        byErc1155: standards === 'both' ? fc.boolean() : fc.constant(standards === 'ERC1155'),
      }),
      { minLength: 1, maxLength: 40 },
    )
    .map((steps) => {
      let block = 10
      let index = 0
      return steps.flatMap(({ blocks, tokens, from, to, amount, byErc1155 }) => {
        block += blocks
        index = blocks > 0 ? 0 : index + 1
        const position = positionOf(block, index)
        return tokens.map((token, item): Transfer => {
          const moved = { tokenId: String(token), from: owners[from]!, to: owners[to]! }
          const by = byErc1155 ? { amount: String(amount), operator: owners[1]! } : { amount: '1', operator: null }
          return { position, item, ...moved, ...by, ...place }
        })
      })
    })

const columns = `token_id, encode(owner, 'hex'), encode(minter, 'hex'), last_position, first_position,
  coalesce(minted_position, first_position), amount, erc1155`

const { minter, mintedPosition } = mintAt('$3')

/** Returns the listed tokens of the current table. */
const present = ({ partition, id }: CollectionKey) =>
  database.db.rows(
    `SELECT ${columns} FROM token WHERE partition = $1 AND collection_id = $2 AND amount > 0 ORDER BY token_id`,
    [partition, id],
  )

const at = ({ partition, id, standards }: Stored, block: number) =>
  database.db.rows(
    `SELECT ${columns} FROM (
       SELECT w.token_id, s.owner, ${minter} AS minter, s.last_position, w.first_position, ${mintedPosition} AS minted_position, s.amount, s.erc1155
       FROM token w CROSS JOIN LATERAL (${stateAt[standards]}) s (owner, last_position, amount, erc1155)
       WHERE w.partition = $1 AND w.collection_id = $2 AND w.first_position <= $3 AND s.amount > 0
     ) t ORDER BY token_id`,
    [partition, id, lastPositionOf(BigInt(block))],
  )

const presentHolders = ({ partition, id }: CollectionKey) =>
  database.db.rows(
    `SELECT token_id, encode(holder, 'hex'), amount FROM (
       SELECT token_id, owner AS holder, amount FROM token WHERE partition = $1 AND collection_id = $2 AND amount > 0 AND NOT erc1155
       UNION ALL
       SELECT token_id, holder, b.amount FROM balance b JOIN token USING (partition, collection_id, token_hash)
       WHERE partition = $1 AND collection_id = $2 AND b.amount > 0
     ) h ORDER BY token_id, holder`,
    [partition, id],
  )

const holdersOfTokens = ({ partition, id, standards }: Stored, block: number) =>
  database.db.rows(
    `SELECT w.token_id, encode(h.owner, 'hex'), h.amount FROM token w CROSS JOIN LATERAL (${holdingAt[standards]}) h
     WHERE w.partition = $1 AND w.collection_id = $2 AND w.first_position <= $3 ORDER BY w.token_id, h.owner`,
    [partition, id, lastPositionOf(BigInt(block))],
  )

const holders = (collection: Stored, block: number) =>
  database.db.transaction(async (tx) => {
    const rows: HolderRow[] = []
    for await (const some of readHoldersAt(tx, collection, BigInt(block))) rows.push(...some)
    return rows.map(([tokenId, owner, amount]) => [tokenId, owner.toString('hex'), amount])
  })

/** Returns the number of listed tokens, and of all their owners. */
async function counts({ partition, id, standards }: Stored, block: number) {
  const values = [partition, id, lastPositionOf(BigInt(block))]
  const tokens = await database.db.rows(countAt[standards], [...values, null, null, false])
  if (standards === 'ERC721') return [tokens, tokens]
  return [tokens, await database.db.rows(countHoldingsAt(standards), values)]
}

test.each(['ERC721', 'ERC1155', 'both'] as const)(
  'behavior: %s: the state at the end of any block equals the tables when that block was the last',
  async (standards) => {
    await fc.assert(
      fc.asyncProperty(historyOf(standards), fc.nat(90), async (transfers, later) => {
        const whole = await createCollection(standards, address)
        await store(whole, transfers)
        const blockOf = ({ position }: Transfer) => Number(blockOfPosition(BigInt(position)))
        for (const block of [9, 10 + later, blockOf(transfers.at(-1)!)]) {
          const before = await createCollection(standards, '0x00000000000000000000000000000000000000bb')
          await store(
            before,
            transfers.filter((transfer) => blockOf(transfer) <= block),
          )
          expect(await at(whole, block)).toEqual(await present(before))
          expect(await holders(whole, block)).toEqual(await presentHolders(before))
          expect(await holdersOfTokens(whole, block)).toEqual(await presentHolders(before))
          const listed = [(await present(before)).length, (await presentHolders(before)).length]
          expect(await counts(whole, block)).toEqual(listed.map((count) => [[count]]))
        }
      }),
      { numRuns: 25 * inject('rounds') },
    )
  },
)

test('behavior: holders arrive in batches short enough to be parsed between two requests', async () => {
  const collection = await createCollection('ERC721', address)
  const tokens = Array.from({ length: 1_203 }, (_, i) => i)
  await database.db.run(
    `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash)
     SELECT $1, $2, n * 1048576, 0, n, $3, $4, 1, '\\x00', '\\x00' FROM unnest($5::int8[]) n`,
    [collection.partition, collection.id, Buffer.alloc(20), Buffer.alloc(20, 1), tokens],
  )
  const lists: HolderRow[][] = []
  await database.db.transaction(async (tx) => {
    for await (const some of readHoldersAt(tx, collection, 5_000n)) lists.push(some)
  })
  expect(lists.map((list) => list.length)).toEqual([500, 500, 203])
  expect(lists.flat().map(([id]) => Number(id))).toEqual(tokens)
})
