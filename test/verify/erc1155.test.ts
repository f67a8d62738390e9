// @module-tag system

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { tokenHash } from '../../src/nft/transfers/tokenHash.ts'
import { type Address, hexToBuffer } from '../../src/util/hex.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { supply1155 } from '../contracts/artifacts/supply1155.ts'
import { startTestServer, type TestServer } from '../mintmark.ts'
import { patience } from '../patience.ts'
import { createVerifier } from './verifying.ts'

let anvil: Anvil
let server: TestServer
let verifier: ReturnType<typeof createVerifier>
let alice: Address
let bob: Address
let plain: Address
let counted: Address
let beforeMoves: bigint

beforeAll(async () => {
  anvil = await startAnvil({ slotsInAnEpoch: 4 })
  ;[alice, bob] = anvil.accounts as [Address, Address]
  plain = await anvil.deploy(plain1155, ['Plain', 'PLN'])
  counted = await anvil.deploy(supply1155, [])
  await anvil.send({ to: counted, abi: supply1155.abi, functionName: 'setUri', args: ['data:,first'] })
  for (const to of [plain, counted])
    for (const [id, amount] of [
      [1n, 100n],
      [2n, 5n],
      [3n, 2n ** 200n],
    ] as const)
      await anvil.send({ to, abi: supply1155.abi, functionName: 'mint', args: [alice, id, amount] })
  await anvil.mine(10)
  beforeMoves = await anvil.blockNumber()
  for (const to of [plain, counted]) {
    await anvil.send({ to, abi: supply1155.abi, functionName: 'move', args: [alice, bob, 1n, 40n] })
    await anvil.send({ to, abi: supply1155.abi, functionName: 'burn', args: [alice, 1n, 10n] })
    await anvil.send({ to, abi: supply1155.abi, functionName: 'burn', args: [alice, 2n, 5n] })
  }
  server = await startTestServer({ rpc: [anvil.url] })
  verifier = createVerifier(server.database.url)
  const head = await anvil.blockNumber()
  for (const address of [plain, counted]) await server.untilSynced(address, head)
  await vi.waitFor(
    async () => expect(await server.database.db.rows('SELECT count(*) FROM token_metadata')).toEqual([[4n]]),
    patience,
  )
})
afterAll(async () => {
  verifier?.close()
  await server?.close()
  await anvil?.stop()
})

const repairs: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const repair of repairs.splice(0)) await repair()
})

const hashOf = (address: Address, id: bigint) => tokenHash(address, String(id))
const run = (text: string, values: unknown[]) => server.database.db.run(text, values)

/** Removes a token's rows from a table until the end of the test. */
async function remove(table: 'token' | 'balance', hash: string, holder: Address | null = null): Promise<void> {
  const where = 'token_hash = $1 AND ($2::bytea IS NULL OR holder = $2)'
  const condition = table === 'token' ? 'token_hash = $1 AND $2::bytea IS NULL' : where
  const values = [hash, holder && hexToBuffer(holder)]
  const rows = await server.database.db.rows(`SELECT * FROM ${table} WHERE ${condition}`, values)
  expect(rows.length).toBeGreaterThan(0)
  await run(`DELETE FROM ${table} WHERE ${condition}`, values)
  for (const row of rows)
    repairs.push(() => run(`INSERT INTO ${table} VALUES (${row.map((_, i) => `$${i + 1}`).join(', ')})`, row))
}

test('default: verify finds that balances, amounts, totalSupply(id) and URIs agree', async () => {
  for (const address of [plain, counted]) {
    const { code, report } = await verifier.verify([anvil.url], address)
    expect(report).toMatchObject({
      agrees: true,
      standard: 'ERC1155',
      // The third id is burned.
      compared: { tokens: 3, balances: 3, uris: 2 },
      mismatches: [],
    })
    expect(code).toBe(0)
  }
})

test('behavior: verify reports a balance that differs from the chain', async () => {
  const change = 'UPDATE balance SET amount = amount + $3 WHERE token_hash = $1 AND holder = $2'
  await run(change, [hashOf(plain, 1n), hexToBuffer(bob), 2])
  repairs.push(() => run(change, [hashOf(plain, 1n), hexToBuffer(bob), -2]))
  const { code, report } = await verifier.verify([anvil.url], plain)
  expect(code).toBe(1)
  expect(report.mismatches).toEqual([{ kind: 'balance', tokenId: '1', holder: bob, stored: '42', chain: '40' }])
})

test('behavior: verify reports a single holder in the row of a token that has two, and a wrong number of holders', async () => {
  const set = (owner: Address | null, id: bigint, more = 0) =>
    run('UPDATE token SET owner = $1, holders = holders + $2 WHERE token_hash = $3', [
      ...[owner && hexToBuffer(owner), more, hashOf(plain, id)],
    ])
  await set(bob, 1n)
  repairs.push(() => set(null, 1n))
  await set(alice, 3n, 1)
  repairs.push(() => set(alice, 3n, -1))
  const { code, report } = await verifier.verify([anvil.url], plain)
  expect(code).toBe(1)
  expect(report).toMatchObject({
    mismatches: [],
    counters: [{ counter: 'tokens with wrong holders', stored: '0', recounted: '2' }],
  })
})

test('behavior: verify reports a transfer that is stored for another token', async () => {
  const own = 'collection_id = (SELECT id FROM collection WHERE address = $2)'
  const [first] = await server.database.db.rows(
    `SELECT t.position, t.item FROM transfer t WHERE token_id = $1 AND ${own} LIMIT 1`,
    [1, hexToBuffer(plain)],
  )
  const move = (to: number) =>
    run(`UPDATE transfer SET token_id = $1 WHERE ${own} AND position = $3 AND item = $4`, [
      ...[to, hexToBuffer(plain)],
      ...first!,
    ])
  await move(2)
  repairs.push(() => move(1))
  const { code, report } = await verifier.verify([anvil.url], plain)
  expect(code).toBe(1)
  expect(report.counters).toEqual([{ counter: 'tokens with wrong transfers', stored: '0', recounted: '2' }])
})

test('behavior: verify reports an amount that differs from the sum of the holders and from totalSupply', async () => {
  await run('UPDATE token SET amount = amount + 1 WHERE token_hash = $1', [hashOf(counted, 3n)])
  repairs.push(() => run('UPDATE token SET amount = amount - 1 WHERE token_hash = $1', [hashOf(counted, 3n)]))
  const { report } = await verifier.verify([anvil.url], counted)
  const [stored, chain] = [String(2n ** 200n + 1n), String(2n ** 200n)]
  expect(report.mismatches).toEqual([
    { kind: 'amount', tokenId: '3', holder: null, stored, chain },
    { kind: 'supply', tokenId: '3', holder: null, stored, chain },
  ])
})

test('behavior: verify reports a holder without a stored balance', async () => {
  await remove('balance', hashOf(plain, 1n), bob)
  const { report } = await verifier.verify([anvil.url], plain)
  expect(report.mismatches).toEqual([
    { kind: 'amount', tokenId: '1', holder: null, stored: '90', chain: '50' },
    { kind: 'balance', tokenId: '1', holder: bob, stored: '0', chain: '40' },
  ])
})

test('behavior: verify reports an id that the chain lacks as extra, and one that the database lacks as missing', async () => {
  const [key] = await server.database.db.rows('SELECT partition, collection_id FROM token WHERE token_hash = $1', [
    hashOf(plain, 1n),
  ])
  await remove('balance', hashOf(plain, 1n))
  await remove('token', hashOf(plain, 1n))
  await run(`INSERT INTO token VALUES ($1, $2, $3, 77, $4, $4, 1048576, 1048576, 9, 1)`, [
    ...key!,
    hashOf(plain, 77n),
    hexToBuffer(alice),
  ])
  repairs.push(() => run('DELETE FROM token WHERE token_hash = $1', [hashOf(plain, 77n)]))
  const { report } = await verifier.verify([anvil.url], plain)
  expect(report.mismatchCounts).toEqual({ surplus: 1, missing: 1, balance: 2 })
  expect(report.mismatches).toEqual(
    expect.arrayContaining([
      { kind: 'surplus', tokenId: '77', holder: null, stored: '9', chain: '0' },
      { kind: 'missing', tokenId: '1', holder: null, stored: null, chain: 'held' },
      { kind: 'balance', tokenId: '1', holder: alice, stored: '0', chain: '50' },
      { kind: 'balance', tokenId: '1', holder: bob, stored: '0', chain: '40' },
    ]),
  )
})

test('behavior: verify --at an older block compares the balances at that block', async () => {
  const { code, report } = await verifier.verify([anvil.url], counted, '--at', String(beforeMoves))
  expect({ code, ...report }).toMatchObject({
    code: 0,
    agrees: true,
    source: 'rebuilt',
    compared: { tokens: 3, balances: 3, uris: 0 },
  })
})

test('behavior: verify --sample compares all holders of the sampled ids', async () => {
  const { code, report } = await verifier.verify([anvil.url], plain, '--sample', '5', '--seed', 'x')
  expect({ code, ...report }).toMatchObject({
    code: 0,
    sample: { size: 5, seed: 'x' },
    compared: { tokens: 2, balances: 3, uris: 2 },
  })
})

test('behavior: verify reports a URI that changed without an event', async () => {
  await anvil.send({ to: counted, abi: supply1155.abi, functionName: 'setUri', args: ['data:,second'] })
  await server.untilSynced(counted, await anvil.blockNumber())
  const { code, report } = await verifier.verify([anvil.url], counted)
  expect(code).toBe(1)
  expect(report.mismatches).toEqual(
    expect.arrayContaining([
      { kind: 'uri', tokenId: '1', holder: null, stored: 'data:,first', chain: 'data:,second' },
      { kind: 'uri', tokenId: '3', holder: null, stored: 'data:,first', chain: 'data:,second' },
    ]),
  )
})
