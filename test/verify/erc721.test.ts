// @module-tag system

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { tokenHash } from '../../src/nft/transfers/tokenHash.ts'
import { type Address, hexToBuffer } from '../../src/util/hex.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { enumerable721 } from '../contracts/artifacts/enumerable721.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { installMulticall } from '../contracts/installMulticall.ts'
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
  await installMulticall(anvil)
  ;[alice, bob] = anvil.accounts as [Address, Address]
  plain = await anvil.deploy(plain721, ['Plain', 'PLN', 'data:,'])
  counted = await anvil.deploy(enumerable721, ['Counted', 'CNT'])
  for (const [to, abi] of [
    [plain, plain721.abi],
    [counted, enumerable721.abi],
  ] as const)
    await anvil.send({ to, abi: abi as typeof plain721.abi, functionName: 'mintBatch', args: [alice, 0n, 60n] })
  await anvil.mine(10)
  beforeMoves = await anvil.blockNumber()
  for (const [to, abi] of [
    [plain, plain721.abi],
    [counted, enumerable721.abi],
  ] as const) {
    await anvil.send({ to, abi: abi as typeof plain721.abi, functionName: 'move', args: [bob, [1n, 2n, 3n]] })
    await anvil.send({ to, abi: abi as typeof plain721.abi, functionName: 'burn', args: [4n] })
  }
  server = await startTestServer({ rpc: [anvil.url] })
  verifier = createVerifier(server.database.url)
  const head = await anvil.blockNumber()
  for (const address of [plain, counted]) await server.untilSynced(address, head)
  await vi.waitFor(
    async () => expect(await server.database.db.rows('SELECT count(*) FROM token_metadata')).toEqual([[118n]]),
    patience,
  )
  // Otherwise wallets would be updated from rows that a test corrupts.
  await vi.waitFor(async () => expect(await server.database.db.rows('SELECT 1 FROM wallet_due')).toEqual([]), patience)
})
afterAll(async () => {
  verifier?.close()
  await server?.close()
  await anvil?.stop()
})

/** Restores the rows that a test corrupted. */
const repairs: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const repair of repairs.splice(0)) await repair()
})

const hashOf = (address: Address, id: bigint) => tokenHash(address, String(id))
const run = (text: string, values: unknown[]) => server.database.db.run(text, values)

async function tokenRow(hash: string): Promise<unknown[]> {
  const [row] = await server.database.db.rows<unknown[]>('SELECT t.* FROM token t WHERE token_hash = $1', [hash])
  return row!
}

const insertToken = (row: unknown[]) => run(`INSERT INTO token VALUES (${row.map((_, i) => `$${i + 1}`).join()})`, row)

test('default: verify finds that everything agrees at the indexed block, by multicall', async () => {
  const head = await anvil.blockNumber()
  for (const address of [plain, counted]) {
    const { code, report } = await verifier.verify([anvil.url], address)
    expect(report).toMatchObject({
      agrees: true,
      standard: 'ERC721',
      block: String(head),
      source: 'stored',
      compared: { tokens: 60, balances: 0, uris: 59 },
      mismatches: [],
      nodeDifferences: [],
      counters: [],
      nodes: [{ node: new URL(anvil.url).host, failure: null }],
      sample: null,
    })
    expect(code).toBe(0)
  }
})

test('default: the text report of verify is a few lines', async () => {
  const { code, out, err } = await verifier.run([anvil.url], ['local', plain])
  expect(out.split('\n')).toEqual([
    expect.stringMatching(new RegExp(`^local ${plain}, ERC721, at block \\d+ \\(0x[0-9a-f]{64}\\)$`)),
    `compared 60 tokens, 59 token URIs with ${new URL(anvil.url).host}`,
    'everything agrees',
    '',
  ])
  expect({ code, err }).toEqual({ code: 0, err: '0 %, 0 of 60 tokens\n' })
})

test('behavior: verify reports a wrong owner, a missing, an extra and a burned token', async () => {
  const key = [hashOf(plain, 7n), hexToBuffer(bob)]
  await run('UPDATE token SET owner = $2 WHERE token_hash = $1', key)
  repairs.push(() => run('UPDATE token SET owner = $2 WHERE token_hash = $1', [key[0], hexToBuffer(alice)]))
  const kept = await tokenRow(hashOf(plain, 8n))
  await run('DELETE FROM token WHERE token_hash = $1', [hashOf(plain, 8n)])
  repairs.push(() => insertToken(kept))
  await insertToken([...kept.slice(0, 2), hashOf(plain, 1_000n), '1000', ...kept.slice(4)])
  repairs.push(() => run('DELETE FROM token WHERE token_hash = $1', [hashOf(plain, 1_000n)]))
  await run('UPDATE token SET amount = 0, owner = NULL WHERE token_hash = $1', [hashOf(plain, 9n)])
  repairs.push(() =>
    run('UPDATE token SET amount = 1, owner = $2 WHERE token_hash = $1', [hashOf(plain, 9n), hexToBuffer(alice)]),
  )

  const { code, err, report } = await verifier.verify([anvil.url], plain)
  expect(code).toBe(1)
  expect(report.mismatches.sort((a, b) => Number(a.tokenId) - Number(b.tokenId))).toEqual([
    { kind: 'owner', tokenId: '7', holder: null, stored: bob, chain: alice },
    { kind: 'missing', tokenId: '8', holder: null, stored: null, chain: alice },
    { kind: 'missing', tokenId: '9', holder: null, stored: null, chain: alice },
    { kind: 'surplus', tokenId: '1000', holder: null, stored: alice, chain: null },
  ])
  expect(report).toMatchObject({ agrees: false, mismatchCounts: { owner: 1, missing: 2, surplus: 1 } })
  expect(err).toMatch(/\nmintmark: stored data differs from the chain \([^\n]+\n$/)

  const people = await verifier.run([anvil.url], ['local', plain])
  expect(people.code).toBe(1)
  expect(people.out).toMatch(new RegExp(`\nowner +7 +- +${bob} +${alice}\n`))
})

test('behavior: verify reports counters that differ from a recount', async () => {
  const key = hexToBuffer(plain)
  await run('UPDATE collection SET transfers = transfers + 1, tokens = tokens - 2 WHERE address = $1', [key])
  repairs.push(() =>
    run('UPDATE collection SET transfers = transfers - 1, tokens = tokens + 2 WHERE address = $1', [key]),
  )
  const own = 'WHERE collection_id = (SELECT id FROM collection WHERE address = $1)'
  await run(`UPDATE owner_count SET owners = owners + 1 ${own}`, [key])
  repairs.push(() => run(`UPDATE owner_count SET owners = owners - 1 ${own}`, [key]))
  const count = (by: number) =>
    run('UPDATE token SET transfers = transfers + $2 WHERE token_hash = $1', [hashOf(plain, 3n), by])
  await count(-2)
  repairs.push(() => count(2))
  const range = (await server.database.db.rows(`SELECT r.* FROM transfer_range r ${own}`, [key]))[0]!
  await run(`DELETE FROM transfer_range ${own}`, [key])
  repairs.push(() => run('INSERT INTO transfer_range VALUES ($1, $2, $3, $4)', range))
  const { code, err, report } = await verifier.verify([anvil.url], plain)
  expect(code).toBe(1)
  expect(report).toMatchObject({ agrees: false, mismatches: [] })
  expect(report.counters).toEqual([
    { counter: 'tokens', stored: '57', recounted: '59' },
    { counter: 'transfers', stored: '65', recounted: '64' },
    { counter: 'transfers of tokens', stored: '62', recounted: '64' },
    { counter: 'tokens with wrong transfers', stored: '0', recounted: '1' },
    { counter: 'ranges with transfers', stored: '0', recounted: '1' },
    { counter: 'owners', stored: '3', recounted: '2' },
  ])
  expect(err).toContain("the collection's counter of tokens is 57, the recount 59")
})

test('behavior: verify reports wallet tables that differ from the tokens and transfers', async () => {
  const none = { tokens: '0', collections: '0', transfers: '0' }
  expect((await verifier.verify([anvil.url], plain)).report).toMatchObject({ agrees: true, walletFaults: none })
  const one = 'token_hash = $1 AND collection_id = (SELECT collection_id FROM token WHERE token_hash = $1)'
  const own = [hashOf(plain, 5n)]
  await run(`UPDATE wallet_token SET amount = 2 WHERE ${one}`, own)
  repairs.push(() => run(`UPDATE wallet_token SET amount = 1 WHERE ${one}`, own))
  // Three errors: a wallet that holds nothing, a wrong count of one that does, and a transfer at the wrong position.
  const [[id, partition] = []] = await server.database.db.rows(
    'SELECT collection_id, collection_partition FROM wallet_collection WHERE collection_id = (SELECT collection_id FROM token WHERE token_hash = $1)',
    own,
  )
  await run(
    `INSERT INTO wallet_collection SELECT 0, chain_id, '\\x99', $1, $2, 1 FROM wallet_collection WHERE collection_id = $1 LIMIT 1`,
    [id, partition],
  )
  repairs.push(() => run(`DELETE FROM wallet_collection WHERE wallet = '\\x99'`, []))
  await run('UPDATE wallet_collection SET tokens = tokens + 1 WHERE collection_id = $1 AND wallet = $2', [
    ...[id, hexToBuffer(bob)],
  ])
  repairs.push(() =>
    run('UPDATE wallet_collection SET tokens = tokens - 1 WHERE collection_id = $1 AND wallet = $2', [
      ...[id, hexToBuffer(bob)],
    ]),
  )
  const last = '(SELECT max(position) FROM wallet_transfer WHERE collection_id = $1)'
  await run(`UPDATE wallet_transfer SET item = 7 WHERE collection_id = $1 AND position = ${last}`, [id])
  repairs.push(() => run('UPDATE wallet_transfer SET item = 0 WHERE collection_id = $1 AND item = 7', [id]))
  const { code, err, report } = await verifier.verify([anvil.url], plain)
  expect(code).toBe(1)
  expect(report).toMatchObject({
    ...{ agrees: false, counters: [] },
    walletFaults: { tokens: '1', collections: '2', transfers: '2' },
  })
  expect(err).toContain('the wallet tables differ from the collection: 1 tokens, 2 collections, 2 transfers')
})

test('behavior: verify reports a different totalSupply of ERC-721 Enumerable, and tokens missing even from transfers', async () => {
  const db = server.database.db
  const kept = await tokenRow(hashOf(counted, 11n))
  const key = kept.slice(0, 2)
  const names =
    'partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash'
  const transfers = await db.rows(
    `SELECT ${names} FROM transfer WHERE partition = $1 AND collection_id = $2 AND token_id = 11`,
    key,
  )
  await run('DELETE FROM transfer WHERE partition = $1 AND collection_id = $2 AND token_id = 11', key)
  await run('DELETE FROM token WHERE token_hash = $1', [hashOf(counted, 11n)])
  repairs.push(() => run(`INSERT INTO transfer (${names}) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10)`, transfers[0]!))
  repairs.push(() => insertToken(kept))
  const { code, report } = await verifier.verify([anvil.url], counted)
  expect(code).toBe(1)
  expect(report.mismatches).toEqual([
    { kind: 'supply', tokenId: null, holder: null, stored: '58', chain: '59' },
    { kind: 'missing', tokenId: '11', holder: null, stored: null, chain: alice },
  ])
})

test('behavior: verify reports an outdated token URI as its own kind', async () => {
  const change = 'UPDATE token_metadata SET record = replace(record, $2, $3) WHERE token_hash = $1'
  await run(change, [hashOf(plain, 5n), 'data:,5', 'data:,\\"old\\"\u001b5'])
  repairs.push(() => run(change, [hashOf(plain, 5n), 'data:,\\"old\\"\u001b5', 'data:,5']))
  const { code, err, report } = await verifier.verify([anvil.url], plain)
  expect(code).toBe(1)
  expect(report.mismatchCounts).toEqual({ uri: 1 })
  expect(report.mismatches).toMatchObject([{ kind: 'uri', tokenId: '5', chain: 'data:,5' }])
  expect(err).toContain('without an event')
  const people = await verifier.run([anvil.url], ['local', plain])
  expect(people.out + people.err).not.toContain('\u001b')
})

test('behavior: verify --at an older block compares the state rebuilt from the transfers', async () => {
  const { code, report } = await verifier.verify([anvil.url], counted, '--at', String(beforeMoves))
  expect({ code, ...report }).toMatchObject({
    code: 0,
    agrees: true,
    block: String(beforeMoves),
    source: 'rebuilt',
    compared: { tokens: 60, uris: 0 },
  })
  await run('UPDATE transfer SET to_address = $1 WHERE token_id = 20', [hexToBuffer(bob)])
  repairs.push(() => run('UPDATE transfer SET to_address = $1 WHERE token_id = 20', [hexToBuffer(alice)]))
  const spoilt = await verifier.verify([anvil.url], counted, '--at', `0x${beforeMoves.toString(16)}`)
  expect(spoilt.report.mismatches).toEqual([{ kind: 'owner', tokenId: '20', holder: null, stored: bob, chain: alice }])
})

test('error: verify rejects a block that is not covered, or at which the contract did not exist', async () => {
  const above = (await anvil.blockNumber()) + 1n
  // The first block of a history may be before the contract.
  const [row] = await server.database.db.rows<[bigint]>('SELECT from_block FROM collection WHERE address = $1', [
    hexToBuffer(plain),
  ])
  const begin = (block: bigint) =>
    run('UPDATE collection SET from_block = $2 WHERE address = $1', [hexToBuffer(plain), block])
  repairs.push(() => begin(row![0]))
  await begin(0n)
  for (const [at, reason] of [
    [above, `block ${above} is not covered: this collection is indexed from block`],
    [0n, 'the chain has no contract at this address at block 0; choose a block at which it exists'],
  ] as const) {
    const { code, out, err } = await verifier.run([anvil.url], ['local', plain, '--at', String(at), '--json'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(reason)
  }
})

test('behavior: verify --sample compares that many tokens, and its seed selects the same ones again', async () => {
  await run(
    'UPDATE token SET owner = $1 WHERE collection_id = (SELECT collection_id FROM token WHERE token_hash = $2) AND amount > 0',
    [hexToBuffer(`0x${'77'.repeat(20)}`), hashOf(counted, 0n)],
  )
  repairs.push(async () => {
    await run(
      'UPDATE token SET owner = $1 WHERE collection_id = (SELECT collection_id FROM token WHERE token_hash = $2) AND amount > 0',
      [hexToBuffer(alice), hashOf(counted, 0n)],
    )
    await run('UPDATE token SET owner = $1 WHERE token_hash = ANY($2::uuid[])', [
      hexToBuffer(bob),
      [1n, 2n, 3n].map((id) => hashOf(counted, id)),
    ])
  })
  const ids = async (...args: string[]) => {
    const { report } = await verifier.verify([anvil.url], counted, ...args)
    expect(report.compared.tokens).toBe(10)
    return { seed: report.sample!.seed, ids: report.mismatches.map((m) => m.tokenId) }
  }
  const first = await ids('--sample', '10')
  expect(new Set(first.ids).size).toBe(10)
  expect(await ids('--sample', '10', '--seed', first.seed)).toEqual(first)
  expect((await ids('--sample', '10', '--seed', 'another')).ids).not.toEqual(first.ids)
})
