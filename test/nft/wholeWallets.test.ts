// @module-tag system

import { expect, inject, test } from 'vitest'
import type { Sql } from '../../src/db/database.ts'
import { createWalletDemand } from '../../src/nft/walletHistory/createWalletDemand.ts'
import type { Address } from '../../src/util/hex.ts'
import { type Anvil, startAnvil, toTransaction } from '../anvil.ts'
import { consecutive721 } from '../contracts/artifacts/consecutive721.ts'
import { plain20 } from '../contracts/artifacts/plain20.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { startTestServer } from '../mintmark.ts'
import { patienceMs } from '../patience.ts'
import { createRandom, freshSeed } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { byName, readHoldings, readMoves } from './holdings.ts'

const repeats = inject('rounds') - 1
const chainId = 0x7a69n
const poll = { timeout: patienceMs, interval: 50 }

type Contracts = { erc721: Address[]; erc1155: Address[] }

async function deployAll(anvil: Anvil): Promise<Contracts> {
  // Its Transfers have the wallets in the same topics as those of tokens.
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

/** What the tables hold of a wallet, as `readHoldings` and `readMoves` have it. */
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

async function expectStored(anvil: Anvil, sql: Sql, contracts: Contracts, wallets: readonly Address[]): Promise<void> {
  const head = await anvil.blockNumber()
  const { hash } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', ['latest', false])
  const followed = () =>
    sql.rows(
      `SELECT block_number, '0x' || encode(block_hash, 'hex'), (SELECT count(*) FROM wallet WHERE status <> 'live') FROM chain`,
    )
  await expect.poll(followed, poll).toEqual([[head, hash, 0n]])
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
}

test('behavior: nobody asks for a contract; each wallet holds and moved what the chain says, through reorganisations', {
  repeats,
}, async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  await using anvil = await startAnvil({ slotsInAnEpoch: 8 })
  const contracts = await deployAll(anvil)
  await randomActivity(anvil, contracts, random, 40)
  await using server = await startTestServer({ rpc: [anvil.url] })
  const { db } = server.database
  const demand = createWalletDemand({ db, maxQueuedPerKey: 1_000, maxQueued: 1_000 })
  const wallets = anvil.accounts.slice(0, 6)
  await Promise.all(wallets.slice(0, 4).map((wallet) => demand.request(chainId, wallet, 0n)))
  await expectStored(anvil, db, contracts, wallets.slice(0, 4))
  for (const depth of [1, 3, 7, 12]) {
    await randomActivity(anvil, contracts, random, 3 + random.int(10))
    if (random.chance(0.5)) await expectStored(anvil, db, contracts, wallets.slice(0, 4))
    const mint = { to: contracts.erc721[0]!, abi: plain721.abi, functionName: 'mint' } as const
    const mints = [wallets[0]!, wallets[1]!].map((to) => toTransaction({ ...mint, args: [to, random.uint256()] }))
    await anvil.reorg(depth, [
      [mints[0]!, 0],
      [mints[1]!, depth - 1],
    ])
    await anvil.mine(1)
    if (depth === 7) for (const wallet of wallets.slice(4)) await demand.request(chainId, wallet, 0n)
    await expectStored(anvil, db, contracts, depth < 7 ? wallets.slice(0, 4) : wallets)
  }
  expect(await db.rows(`SELECT DISTINCT status FROM collection`)).toEqual([['known']])
})
