import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raiseVersions } from '../src/nft/store/collectionStore.ts'
import { storeTransfers } from '../src/nft/store/storeTransfers.ts'
import { positionOf } from '../src/nft/transfers/position.ts'
import { zeroAddress } from '../src/nft/transfers/transfer.ts'
import { transferGroup } from '../src/nft/transfers/transferGroup.ts'
import type { Address } from '../src/util/hex.ts'
import { createTestApi, type TestApi } from './api.ts'
import { runCommand } from './commandLine.ts'
import { scratchFolder } from './scratchFolder.ts'
import { seedCollection } from './seedCollection.ts'

const address: Address = `0x${'e7'.repeat(20)}`
/** More than the program reads in one batch. */
const tokens = 1_203
const settings = { chains: { eth: { rpc: ['http://127.0.0.1:1'] } } }
let api: TestApi
let folder: string
beforeAll(async () => {
  api = await createTestApi({ config: settings })
  folder = await scratchFolder('mintmark-export-')
  writeFileSync(join(folder, 'mintmark.config.json'), JSON.stringify(settings))
  const key = await seedCollection(api.db, { address, columns: { from_block: 0n, name: '=1+1, "x"' } })
  const collection = { ...key, chainId: 1n, address, standard: 'ERC721', idInData: false } as const
  const transfers = Array.from({ length: tokens }, (_, i) => ({
    ...{ position: positionOf(20 + (i >> 1), i % 2), item: 0, tokenId: String(BigInt(i) ** 9n), from: zeroAddress },
    ...{ to: '12'.repeat(20), amount: '1', operator: null, transactionHash: 'ab'.repeat(32), transactionIndex: 1 },
    ...{ blockHash: 'cd'.repeat(32), blockTime: 1_700_000_000 + (i >> 1) },
  }))
  await api.db.transaction(async (tx) =>
    raiseVersions(tx, await storeTransfers(tx, [transferGroup(collection, transfers)])),
  )
})
afterAll(() => api.drop())

const run = (...args: string[]) =>
  runCommand([...['export', ...args, '--config', join(folder, 'mintmark.config.json'), '--database-url', api.url]])

async function overHttp(path: string): Promise<string> {
  const answer = await api.get(`/api/v2/nft/${address}/${path}`)
  expect(answer.status).toBe(200)
  return answer.text()
}

const lines = (text: string) => text.trimEnd().split('\n')

test.each([
  ['tokens', [], 'export'],
  ['transfers', ['--transfers'], 'transfers/export'],
] as const)(
  'default: the file of exported %s equals the response of the API route, in each format',
  async (kind, options, path) => {
    for (const format of ['csv', 'ndjson'] as const) {
      const out = join(folder, `${kind}.${format}`)
      const { code, out: printed, err } = await run('eth', address, '--out', out, ...options)
      expect([code, err]).toEqual([0, ''])
      const text = readFileSync(out, 'utf8')
      expect(printed).toBe(`${out}: ${tokens} ${kind}, ${Buffer.byteLength(text)} bytes\n`)
      expect(text).toBe(await overHttp(`${path}?format=${format}`))
    }
    const out = join(folder, `${kind}.parquet`)
    const { code, out: printed } = await run('eth', address, '--out', out, '--json', ...options)
    const bytes = readFileSync(out)
    expect([code, JSON.parse(printed)]).toEqual([
      0,
      { file: out, kind, format: 'parquet', rows: tokens, bytes: bytes.length },
    ])
    const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer })
    const listed = lines(await overHttp(`${path}?format=ndjson`)).map((line) => JSON.parse(line).token_id)
    expect(rows.map(({ token_id: id }) => id)).toEqual(listed)
  },
)

test('error: export never overwrites a file, and a failed export leaves no file', async () => {
  const there = join(folder, 'there.csv')
  writeFileSync(there, 'mine')
  const before = readdirSync(folder).sort()
  const unknown: Address = `0x${'01'.repeat(20)}`
  for (const [args, code, message] of [
    [['eth', address, '--out', there], 1, 'already exists'],
    [['eth', unknown, '--out', join(folder, 'new.csv')], 1, 'is not indexed'],
    [['nowhere', address, '--out', join(folder, 'new.csv')], 1, 'nowhere'],
    [['eth', address, '--out', join(folder, 'new')], 2, 'has no format'],
    [['eth', address], 2, '--out'],
    [['eth', address, '--out', join(folder, 'none', 'new.csv')], 1, 'there is no folder'],
  ] as const)
    expect(await run(...args)).toMatchObject({ code, err: expect.stringContaining(message) })
  expect(readdirSync(folder).sort()).toEqual(before)
  expect(readFileSync(there, 'utf8')).toBe('mine')
})
