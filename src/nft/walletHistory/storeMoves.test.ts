import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { onCluster } from '../../../test/onCluster.ts'
import { createRandom, freshSeed, type Random } from '../../../test/random.ts'
import { allRowsRead, pagesRead } from '../../../test/rowsRead.ts'
import type { Address } from '../../util/hex.ts'
import { positionOf } from '../transfers/position.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import { zeroAddress } from '../transfers/transfer.ts'
import type { Move, OversizedLog, WalletKey } from './movesOf.ts'
import { storeMoves } from './storeMoves.ts'
import { forgetMoveBlocks, revertMoves } from './undoMoves.ts'

const holder = '77'.repeat(20)
const other = '88'.repeat(20)
const contracts: Address[] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`]
const chainId = 1n

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function insertWallet(random: Random, db = database.db): Promise<WalletKey> {
  const partition = random.int(256)
  const [row] = await db.rows<[bigint]>(
    `INSERT INTO wallet (partition, chain_id, address, requested_by, status) VALUES ($1, $2, $3, 0, 'live') RETURNING id`,
    [partition, chainId, Buffer.from(holder, 'hex')],
  )
  return { partition, id: row![0] }
}

/** Random moves: of both standards for one token, of amount zero, to oneself, and some that no valid contract would emit. */
function randomMoves(random: Random, wallet: WalletKey, count: number): Move[] {
  const moves = new Map<string, Move>()
  for (let i = 0; i < count; i++) {
    const position = positionOf(1 + random.int(20), random.int(5))
    const item = random.int(2)
    const contract = random.pick(contracts)
    const tokenId = String(random.int(3))
    const is1155 = random.chance(0.5)
    const [from, to] = random.pick([
      [holder, other],
      [other, holder],
      [holder, holder],
      [zeroAddress, holder],
      [holder, zeroAddress],
    ] as const)
    const transfer = {
      ...{ position, item, tokenId, from, to, transactionIndex: 0, blockTime: Math.floor(position / 2 ** 20) },
      amount: is1155 ? String(random.int(4)) : '1',
      operator: is1155 ? other : null,
      transactionHash: '00'.repeat(32),
      blockHash: '11'.repeat(32),
    }
    moves.set(`${position} ${item}`, { wallet, contract, hash: tokenHash(contract, tokenId), transfer })
  }
  return [...moves.values()]
}

/** A transfer of one ERC-721 token. */
function moveOf(wallet: WalletKey, transfer: Pick<Move['transfer'], 'position' | 'tokenId' | 'from' | 'to'>): Move {
  const contract = contracts[0]!
  const rest = {
    ...{ item: 0, amount: '1', operator: null, transactionIndex: 0, blockTime: null },
    ...{ transactionHash: '00'.repeat(32), blockHash: '11'.repeat(32) },
  }
  return { wallet, contract, hash: tokenHash(contract, transfer.tokenId), transfer: { ...rest, ...transfer } }
}

/** Makes skipped logs, which come after the logs with moves. */
function randomOversized(random: Random, wallet: WalletKey): OversizedLog[] {
  const blocks = new Set(Array.from({ length: 6 }, () => 1 + random.int(20)))
  return [...blocks].map((block) => ({ wallet, position: positionOf(block, 9) }))
}

/**
 * Returns the holdings after the moves. ERC-1155 transfers are added up if any moved a non-zero amount. Otherwise the latest ERC-721
 * transfer decides. Each holding has the place and time of the last transfer from somebody else, or of the first one to itself.
 */
function holdingsOf(moves: readonly Move[]): string[] {
  const inOrder = moves.toSorted(
    (a, b) => a.transfer.position - b.transfer.position || a.transfer.item - b.transfer.item,
  )
  return [...Map.groupBy(inOrder, ({ hash }) => hash)].flatMap(([hash, of]) => {
    const byErc1155 = of.filter(({ transfer }) => transfer.operator !== null)
    const summed = byErc1155.some(({ transfer }) => transfer.amount !== '0')
    const sum = byErc1155.reduce((total, { transfer: { from, to, amount } }) => {
      return total + (to === holder ? Number(amount) : 0) - (from === holder ? Number(amount) : 0)
    }, 0)
    const owned = of.findLast(({ transfer }) => transfer.operator === null)?.transfer.to === holder ? 1 : 0
    const amount = summed ? sum : owned
    if (amount <= 0) return []
    const received = of.filter(({ transfer }) => transfer.to === holder && transfer.amount !== '0')
    const { transfer } = received.findLast(({ transfer }) => transfer.from !== holder) ?? received[0]!
    return [`${hash} ${amount} ${summed} ${transfer.position} ${transfer.blockTime}`]
  })
}

/** Returns the numbers of a wallet's transfers and skipped logs, both as counted and as stored. */
async function readCounts({ partition, id }: WalletKey): Promise<number[]> {
  const of = (table: string) =>
    `(SELECT count(*) FROM ${table} m WHERE m.partition = w.partition AND m.wallet_id = w.id)`
  const [row] = await database.db.rows<[bigint, bigint, bigint, bigint]>(
    `SELECT transfers, wide_logs, ${of('wallet_move')}, ${of('wallet_wide_log')} FROM wallet w WHERE partition = $1 AND id = $2`,
    [partition, id],
  )
  const [transfers, oversized, ...stored] = row!.map(Number)
  expect([transfers, oversized]).toEqual(stored)
  return stored
}

test('default: moves in any order and repeated give correct holdings and counts, and undone moves leave no trace', async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  const { db } = database
  for (let round = 0; round < 12; round++) {
    const wallet = await insertWallet(random)
    let moves = randomMoves(random, wallet, 40)
    let oversized = randomOversized(random, wallet)
    const read = async () => {
      const rows = await db.rows<[string, string, boolean, bigint, bigint]>(
        `SELECT encode(uuid_send(token_hash), 'hex'), amount::text, erc1155, received_position, received_time FROM wallet_holding WHERE partition = $1 AND wallet_id = $2`,
        [wallet.partition, wallet.id],
      )
      return rows.map((row) => row.join(' ')).toSorted()
    }
    const blockAt = (position: number) => Math.floor(position / 2 ** 20)
    const blockOf = ({ transfer }: Move) => blockAt(transfer.position)
    // The first blocks are history, in any order and partly twice. The others are followed.
    const history = moves.filter((move) => blockOf(move) <= 10).toSorted(() => random.int(3) - 1)
    const oversizedHistory = oversized.filter(({ position }) => blockAt(position) <= 10)
    for (let i = 0; i < history.length; i += 7) {
      const part = { moves: history.slice(Math.max(0, i - 3), i + 7), oversized: oversizedHistory }
      await db.transaction((tx) => storeMoves(tx, part))
    }
    for (let block = 11; block <= 20; block++) {
      const own = moves.filter((move) => blockOf(move) === block)
      const ownOversized = oversized.filter(({ position }) => blockAt(position) === block)
      await db.transaction((tx) => storeMoves(tx, { moves: own, oversized: ownOversized }, { chainId, above: 10n }))
    }
    expect(await read()).toEqual(holdingsOf(moves).toSorted())
    expect(await readCounts(wallet)).toEqual([moves.length, oversized.length])
    const fork = 10 + random.int(10)
    await db.transaction((tx) => revertMoves(tx, chainId, BigInt(fork)))
    moves = moves.filter((move) => blockOf(move) <= fork)
    oversized = oversized.filter(({ position }) => blockAt(position) <= fork)
    expect(await read()).toEqual(holdingsOf(moves).toSorted())
    expect(await readCounts(wallet)).toEqual([moves.length, oversized.length])
    await db.transaction((tx) => forgetMoveBlocks(tx, chainId, 20n))
    expect(await db.rows('SELECT count(*) FROM wallet_move_block')).toEqual([[0n]])
    await db.run(`UPDATE wallet SET status = 'removed' WHERE id = $1`, [wallet.id])
  }
})

const setEmpty = `UPDATE pg_class SET reltuples = 0, relpages = 50 WHERE relname IN ('wallet', 'wallet_move', 'wallet_holding', 'stage_move')`

// A cluster's coordinator does not count the rows that its nodes read.
test.skipIf(onCluster).each([
  { walletCount: 1, statistics: 'no statistics' },
  { walletCount: 2, statistics: 'no statistics' },
  { walletCount: 1, statistics: 'statistics of empty tables' },
  { walletCount: 2, statistics: 'statistics of empty tables' },
])(
  'behavior: tokens of a large block of $walletCount wallets are looked up by their keys in tables with $statistics',
  async ({ walletCount, statistics }) => {
    const own = await createTestDatabase()
    const { db } = own
    const tokens = 1_000
    const mostPerToken = 50
    try {
      const wallets: WalletKey[] = []
      for (let i = 0; i < walletCount; i++) wallets.push(await insertWallet(createRandom(i), db))
      const movesIn = (block: number, [from, to]: [string, string], firstToken: number) =>
        wallets.flatMap((wallet) =>
          Array.from({ length: tokens }, (_, i) =>
            moveOf(wallet, { position: positionOf(block, i), tokenId: String(firstToken + i), from, to }),
          ),
        )
      const steps = [
        movesIn(11, [zeroAddress, holder], 0),
        movesIn(12, [zeroAddress, holder], tokens),
        movesIn(13, [holder, other], 0),
      ]
      for (const moves of steps) {
        // As a vacuum of emptied pages leaves them.
        if (statistics !== 'no statistics') await db.run(setEmpty)
        const undoable = { chainId, above: 10n }
        const read = await db.transaction((tx) =>
          allRowsRead(tx, () => storeMoves(tx, { moves, oversized: [] }, undoable)),
        )
        expect(Math.max(...Object.values(read)) / moves.length).toBeLessThan(mostPerToken)
      }
      const read = await db.transaction((tx) => allRowsRead(tx, () => revertMoves(tx, chainId, 12n)))
      expect(Math.max(...Object.values(read)) / steps[2]!.length).toBeLessThan(mostPerToken)
      expect(await db.rows('SELECT count(*) FROM wallet_holding')).toEqual([[BigInt(2 * walletCount * tokens)]])
    } finally {
      await own.drop()
    }
  },
)

test.skipIf(onCluster)(
  'behavior: blocks with tokens of a growing wallet read few pages of its holdings, where statistics show empty tables',
  async () => {
    const own = await createTestDatabase()
    const { db } = own
    try {
      const wallet = await insertWallet(createRandom(1), db)
      const tokens = 500
      const store = (block: number) => {
        const moves = Array.from({ length: tokens }, (_, i) =>
          moveOf(wallet, {
            ...{ position: positionOf(block, i), tokenId: String(block * tokens + i), from: zeroAddress, to: holder },
          }),
        )
        return db.transaction((tx) => pagesRead(tx, 'wallet_holding', () => storeMoves(tx, { moves, oversized: [] })))
      }
      for (let block = 1; block <= 10; block++) {
        await db.run(setEmpty)
        expect((await store(block)) / tokens).toBeLessThan(30)
      }
    } finally {
      await own.drop()
    }
  },
)
