import { afterAll, beforeAll, expect, test } from 'vitest'
import { tokenHash } from '../src/nft/transfers/tokenHash.ts'
import type { Address } from '../src/util/hex.ts'
import { runCommand } from './commandLine.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { seedCollection } from './seedCollection.ts'

const address: Address = `0x${'ab'.repeat(20)}`
let database: TestDatabase
let url: string[]

beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  url = ['--database-url', database.url]
  const { partition, id } = await seedCollection(db, {
    address,
    tokens: [1n, 2n, 3n, 4n],
    columns: { name: 'Lost Apes' },
  })
  await seedCollection(db, {
    address: `0x${'cd'.repeat(20)}`,
    chainId: 137n,
    columns: { name: 'Cats', status: 'syncing' },
  })
  const rows = (ids: number[]) => ids.map((token) => tokenHash(address, String(token)))
  await db.run(
    `INSERT INTO token_metadata (partition, collection_id, token_hash, state, reason, attempts, record, tried_at)
     SELECT $1, $2, hash, state, reason, 1, '', now()
     FROM unnest($3::uuid[], '{ok,failed}'::text[], '{NULL,lost.example cannot be reached (dns)}'::text[]) AS t (hash, state, reason)`,
    [partition, id, rows([1, 2])],
  )
  await db.run(
    `INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at, host, parked_at)
     SELECT $1, $2, hash, n, 'infinity', 'lost.example', now() FROM unnest($3::uuid[]) WITH ORDINALITY AS t (hash, n)`,
    [partition, id, rows([2, 3, 4])],
  )
  await db.run(
    `INSERT INTO collection_host (partition, collection_id, host, dead_since, failures, fault, fault_at, retry_at) VALUES
       ($1, $2, 'good.example', NULL, 0, NULL, NULL, NULL),
       ($1, $2, 'lost.example', '2026-01-02T03:04:05Z', 7, 'lost.example cannot be reached (dns)' || chr(27), '2026-01-03T00:00:00Z',
        now() + interval '1 hour')`,
    [partition, id],
  )
})
afterAll(() => database.drop())

test('default: shows a collection with its metadata counts by state and its metadata hosts', async () => {
  const { code, out } = await runCommand(['collections', 'show', 'eth', address, ...url])
  expect(code).toBe(0)
  expect(out).toContain('live, ERC721 "Lost Apes", 4 tokens')
  expect(out).toContain('metadata: 1 ok, 1 failed, 0 permanent; 3 due, 3 of them wait for a dead host')
  expect(out).toContain('1 × lost.example cannot be reached (dns)')
  expect(out).toMatch(/^good\.example +ok +0 +- +-$/m)
  expect(out).toMatch(
    /^lost\.example +dead since 2026-01-02T03:04:05\.000Z +3 +lost\.example cannot be reached \(dns\), 2026-01-03T00:00:00\.000Z +20\d\d-/m,
  )
  expect(out).not.toContain('\u001b[')
})

test('behavior: shows the same collection as JSON', async () => {
  const { out } = await runCommand(['collections', 'show', '0x1', address, '--json', ...url])
  expect(JSON.parse(out)).toMatchObject({
    chain: 'eth',
    address,
    status: 'live',
    progress: 1,
    metadata: { ok: '1', failed: '1', permanent: '0', due: '3', parked: '3' },
    hosts: [
      { host: 'lost.example', state: 'dead', deadSince: '2026-01-02T03:04:05.000Z', failures: 7, tokensWaiting: '3' },
      { host: 'good.example', state: 'ok', deadSince: null, fault: null, retryAt: null, tokensWaiting: '0' },
    ],
  })
})

test('behavior: status counts the tokens that wait for a dead host', async () => {
  const { out } = await runCommand(['status', ...url])
  expect(out).toContain('metadata: 0 tokens due, 0 failed and will be retried, 3 wait for a dead host\n')
})

test('behavior: a requested refresh is shown with its start time', async () => {
  const { db } = database
  await db.run(`UPDATE collection SET metadata_unswept = true, metadata_swept_at = now() WHERE name = 'Lost Apes'`)
  const { out } = await runCommand(['collections', 'show', 'eth', address, ...url])
  expect(out).toMatch(/^ {2}search for tokens to read again: begins at 20\d\d-[^ ]+Z$/m)
})

test('default: lists the stored collections', async () => {
  const { code, out } = await runCommand(['collections', 'list', ...url])
  expect(code).toBe(0)
  const lines = out.trimEnd().split('\n')
  expect(lines[1]).toMatch(new RegExp(`^eth +${address} +live +100 % +4 +0 % +Lost Apes$`))
  expect(lines[2]).toMatch(/^polygon +0x(cd){20} +syncing .*Cats$/)
})

test.each([
  [['--chain', 'polygon'], ['Cats']],
  [['--chain', '0x1'], ['Lost Apes']],
  [['--status', 'syncing'], ['Cats']],
  [['--search', 'APE'], ['Lost Apes']],
  [['--search', '0XCDCD'], ['Cats']],
  [['--search', 'dogs'], []],
  [['--limit', '1'], ['Lost Apes']],
])('behavior: listing with %s returns %s', async (options, names) => {
  const { out } = await runCommand(['collections', 'list', '--json', ...options, ...url])
  const { collections, more } = JSON.parse(out) as { collections: { name: string }[]; more: boolean }
  expect(collections.map(({ name }) => name)).toEqual(names)
  expect(more).toBe(options[0] === '--limit')
})

test.each([
  [
    ['show', 'eth', `0x${'12'.repeat(20)}`],
    1,
    'of eth is not indexed: start its indexing with "mintmark index eth 0x12',
  ],
  [['show', 'nowhere', address], 1, 'there is no chain "nowhere"'],
  [['list', '--status', 'gone'], 2, 'Allowed choices'],
  [['list', '--limit', '0'], 2, 'from 1 to 10000'],
])('error: %s', async (args, code, message) => {
  const result = await runCommand(['collections', ...args, ...(code === 1 ? url : [])])
  expect(result).toMatchObject({ code, out: '' })
  expect(result.err).toContain(message)
})
