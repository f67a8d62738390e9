// @module-tag system

import { expect, inject, test } from 'vitest'
import type { Sql } from '../../src/db/database.ts'
import type { Address } from '../../src/util/hex.ts'
import { type Anvil, startAnvil, toTransaction } from '../anvil.ts'
import { consecutive721 } from '../contracts/artifacts/consecutive721.ts'
import { kitties } from '../contracts/artifacts/kitties.ts'
import { plain20 } from '../contracts/artifacts/plain20.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { type NftRecord, startTestServer, type TestServer } from '../mintmark.ts'
import { patienceMs } from '../patience.ts'
import { createRandom, freshSeed } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { byName, heldOf, readHoldings, readMoves } from './holdings.ts'
import { expectAnswers, untilSynced, walk } from './wholeTruth.ts'

const repeats = inject('rounds') - 1
const poll = { timeout: patienceMs, interval: 50 }

const wholeChain = { chains: { local: { wallets: 'chain' } } } as const

type Contracts = { erc721: Address[]; erc1155: Address[] }

async function deployAll(anvil: Anvil): Promise<Contracts> {
  // Its Transfer logs have the wallets in the same topics as those of tokens.
  const to = await anvil.deploy(plain20, [])
  for (const holder of anvil.accounts.slice(0, 3))
    await anvil.send({ to, abi: plain20.abi, functionName: 'mint', args: [holder, 7n] })
  return {
    erc721: [
      await anvil.deploy(plain721, ['Moves', 'MOV', '']),
      await anvil.deploy(plain721, ['Later', 'LAT', '']),
      await anvil.deploy(consecutive721, [anvil.accounts.slice(0, 3), [3n, 40n, 5n]]),
    ],
    erc1155: [await anvil.deploy(plain1155, ['Many', 'MNY']), await anvil.deploy(plain1155, ['More', 'MOR'])],
  }
}

/** The stored rows of a wallet, in the form of `readHoldings` and `readMoves`. */
async function readStored(sql: Sql, wallet: Address) {
  const address = Buffer.from(wallet.slice(2), 'hex')
  const held = await sql.rows<[Address, string, string]>(
    `SELECT '0x' || encode(h.contract, 'hex'), h.token_id::text, h.amount::text
     FROM wallet_holding h JOIN wallet w ON w.partition = h.partition AND w.id = h.wallet_id WHERE w.address = $1`,
    [address],
  )
  const moves = await sql.rows<string[]>(
    `SELECT '0x' || encode(m.contract, 'hex'), m.token_id::text, '0x' || encode(m.from_address, 'hex'), '0x' || encode(m.to_address, 'hex'),
       m.amount::text, (m.position >> 20)::text, '0x' || encode(m.block_hash, 'hex')
     FROM wallet_move m JOIN wallet w ON w.partition = m.partition AND w.id = m.wallet_id WHERE w.address = $1 ORDER BY m.position, m.item`,
    [address],
  )
  return {
    held: held.map(([address, tokenId, amount]) => ({ address, tokenId, amount })).toSorted(byName),
    moves,
  }
}

/** Expects each wallet's tables and responses to match the chain. */
async function expectTruth(
  anvil: Anvil,
  server: TestServer,
  contracts: Contracts,
  wallets: readonly Address[],
): Promise<void> {
  const sql = server.database.db
  const { hash } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', ['latest', false])
  await Promise.all(wallets.map((wallet) => untilSynced(anvil, server, wallet)))
  // A replaced chain may be as high as before.
  await expect.poll(() => sql.rows(`SELECT '0x' || encode(block_hash, 'hex') FROM chain`), poll).toEqual([[hash]])
  const truth = await readHoldings(anvil, contracts)
  for (const wallet of wallets) {
    const stored = await readStored(sql, wallet)
    expect(stored.held).toEqual((truth.get(wallet) ?? []).toSorted(byName))
    const moves = await readMoves(anvil, [...contracts.erc721, ...contracts.erc1155], wallet)
    expect(stored.moves).toEqual(
      moves.map((move) => [
        ...[move.token_address, move.token_id, move.from_address, move.to_address, move.amount],
        ...[move.block_number, move.block_hash],
      ]),
    )
  }
  await expectAnswers(anvil, server, contracts, wallets)
}

test('behavior: wallets match the chain across reorganisations, without any request for a contract', {
  repeats,
}, async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  await using anvil = await startAnvil({ slotsInAnEpoch: 8 })
  const contracts = await deployAll(anvil)
  await randomActivity(anvil, contracts, random, 40)
  await using server = await startTestServer({ rpc: [anvil.url], config: wholeChain })
  const { db } = server.database
  const wallets = anvil.accounts.slice(0, 6)
  await expectTruth(anvil, server, contracts, wallets.slice(0, 4))
  for (const depth of [1, 3, 7, 12]) {
    await randomActivity(anvil, contracts, random, 3 + random.int(10))
    if (random.chance(0.5)) await expectTruth(anvil, server, contracts, wallets.slice(0, 4))
    const mint = { to: contracts.erc721[0]!, abi: plain721.abi, functionName: 'mint' } as const
    const mints = [wallets[0]!, wallets[1]!].map((to) => toTransaction({ ...mint, args: [to, random.uint256()] }))
    await anvil.reorg(depth, [
      [mints[0]!, 0],
      [mints[1]!, depth - 1],
    ])
    await anvil.mine(1)
    await expectTruth(anvil, server, contracts, depth < 7 ? wallets.slice(0, 4) : wallets)
  }
  expect(await db.rows(`SELECT DISTINCT status FROM collection`)).toEqual([['known']])
})

test('behavior: returns a wallet as of a block, and sorts tokens by their last acquisition', async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  await using anvil = await startAnvil({ slotsInAnEpoch: 8 })
  const topical = await deployAll(anvil)
  // Topics cannot find its transfers, so it is indexed as a collection.
  const hidden = await anvil.deploy(kitties, [])
  const contracts = { ...topical, erc721: [...topical.erc721, hidden] }
  await randomActivity(anvil, contracts, random, 30)
  await using server = await startTestServer({ rpc: [anvil.url], config: wholeChain })
  const [wallet] = anvil.accounts as [Address]
  await server.untilSynced(hidden)
  await untilSynced(anvil, server, wallet)
  const head = await anvil.blockNumber()
  for (const block of [0n, 3n, head / 2n, head - 2n, head]) {
    const truth = (await readHoldings(anvil, contracts, block)).get(wallet) ?? []
    const shown = await walk<NftRecord>(server, wallet, 'nft', `&limit=7&as_of_block=${block}`)
    expect(heldOf(shown.records), `at block ${block}`).toEqual(truth.toSorted(byName))
    const { hash } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', [`0x${block.toString(16)}`, false])
    expect(shown.headers.get('x-as-of-block-hash')).toBe(hash)
    const collections = await walk<{ token_address: Address }>(
      server,
      wallet,
      'nft/collections',
      `&as_of_block=${block}`,
    )
    expect(collections.records.map(({ token_address }) => token_address)).toEqual(
      [...new Set(truth.map(({ address }) => address))].toSorted().toReversed(),
    )
  }
  const beyond = await server.get(`/api/v2/${wallet}/nft?chain=local&as_of_block=${head + 1n}`)
  expect([beyond.status, ((await beyond.json()) as { message: string }).message]).toEqual([
    400,
    `as_of_block is ${head + 1n}, a block whose state is not known; allowed: a block from 0 to ${head}`,
  ])
  const moves = await readMoves(anvil, [...contracts.erc721, ...contracts.erc1155], wallet)
  for (const asOf of ['', `&as_of_block=${head}`]) {
    type Acquired = NftRecord & { acquired_block: string; acquired_at: string }
    const { records } = await walk<Acquired>(server, wallet, 'nft', `&limit=4&order=acquired&include=acquired${asOf}`)
    const all = await walk<NftRecord>(server, wallet, 'nft')
    expect(heldOf(records)).toEqual(heldOf(all.records))
    const got = records.map(({ acquired_block }) => Number(acquired_block))
    expect(got).toEqual(got.toSorted((a, b) => b - a))
    for (const { token_address, token_id, acquired_block, acquired_at } of records) {
      const received = moves.filter(
        (move) =>
          move.token_address === token_address &&
          move.token_id === token_id &&
          move.to_address === wallet &&
          move.amount !== '0',
      )
      const last = received.findLast(({ from_address }) => from_address !== wallet) ?? received[0]!
      expect(acquired_block).toBe(last.block_number)
      const block = `0x${BigInt(acquired_block).toString(16)}`
      const { timestamp } = await anvil.rpc<{ timestamp: string }>('eth_getBlockByNumber', [block, false])
      expect(acquired_at).toBe(new Date(Number(timestamp) * 1_000).toISOString())
    }
  }
})

test('error: rejects burn addresses, and more queued wallets than a key may have', async () => {
  await using anvil = await startAnvil()
  await using server = await startTestServer({
    rpc: [anvil.url],
    config: { ...wholeChain, demand: { maxQueuedPerKey: 1 } },
  })
  const dead = `0x${'0'.repeat(36)}dead`
  const rejected = await server.get(`/api/v2/${dead}/nft?chain=local`)
  expect([rejected.status, ((await rejected.json()) as { message: string }).message]).toEqual([
    400,
    `wallet is ${dead}, to which tokens are burned; allowed: the address of a wallet`,
  ])
  // Inserted directly as one that is never retried, so that it waits.
  await server.database.db.run(
    `INSERT INTO wallet (partition, chain_id, address, requested_by, status, retry_at)
     VALUES (1, 31337, decode($1, 'hex'), 0, 'failed', 'infinity')`,
    ['11'.repeat(20)],
  )
  const many = await server.get(`/api/v2/${anvil.accounts[0]!}/nft/transfers?chain=local`)
  expect([many.status, ((await many.json()) as { message: string }).message]).toEqual([
    429,
    'this key already has 1 wallets waiting to be indexed; at most 1 may wait: retry when some are done',
  ])
  expect(Number(many.headers.get('retry-after'))).toBeGreaterThan(0)
})
