// @module-tag system

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address, Hex } from '../../src/util/hex.ts'
import { type Anvil, RevertedError, startAnvil } from '../anvil.ts'
import { runCommand } from '../commandLine.ts'
import { airdrop } from '../contracts/artifacts/airdrop.ts'
import { enumerable721 } from '../contracts/artifacts/enumerable721.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { startTestServer, type TestServer } from '../mintmark.ts'
import { createRandom, freshSeed } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { createRpcServer, RpcFailure } from '../rpcServer.ts'
import { scratchFolder } from '../scratchFolder.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { readBalances, readTruth } from '../truth.ts'

let anvil: Anvil
let server: TestServer
let erc721: Address
let erc1155: Address
/** An ERC-721 without a token count. */
let plain: Address
let dataDir: string
const random = createRandom(freshSeed())
process.stdout.write(`seed ${random.seed}\n`)

beforeAll(async () => {
  anvil = await startAnvil({ slotsInAnEpoch: 4 })
  erc721 = await anvil.deploy(enumerable721, ['Shot', 'SHT'])
  erc1155 = await anvil.deploy(plain1155, ['Shot', 'SHT'])
  plain = await anvil.deploy(plain721, ['Plain', 'PLN', ''])
  await randomActivity(anvil, { erc721: [erc721, plain], erc1155: [erc1155] }, random, 60)
  dataDir = await scratchFolder('mintmark-snapshot-')
  server = await startTestServer({ rpc: [anvil.url], config: { dataDir } })
  const head = await anvil.blockNumber()
  for (const address of [erc721, plain, erc1155]) await server.untilSynced(address, head)
})
afterAll(async () => {
  await server?.close()
  await anvil?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Runs a command with a database and nodes. With `database: false`, it runs as on a machine that has only the file. */
async function run(args: readonly string[], { database = true, node = anvil.url } = {}) {
  const folder = await temporaryFolder()
  const config = join(folder, 'mintmark.config.json')
  writeFileSync(config, JSON.stringify(database ? { chains: { local: { id: '0x7a69', rpc: [node] } } } : {}))
  return runCommand([...args, '--config', config, ...(database ? ['--database-url', server.database.url] : [])])
}

/** All holders at a block as the contract reports them, in the order of a snapshot. */
async function holdersByChain(address: Address, block: bigint): Promise<string[][]> {
  const held =
    address === erc1155
      ? await readBalances(anvil.url, address, block)
      : (await readTruth(anvil.url, address, block)).map(({ token_id, owner_of }) => ({
          ...{ tokenId: BigInt(token_id), holder: owner_of!, amount: 1n },
        }))
  return held
    .sort((a, b) => (a.tokenId === b.tokenId ? (a.holder < b.holder ? -1 : 1) : a.tokenId < b.tokenId ? -1 : 1))
    .map(({ tokenId, holder, amount }) => [String(tokenId), holder, String(amount)])
}

/** A random block with at least one holder, because a tree needs at least one leaf. */
async function blockWithHolders(address: Address): Promise<{ block: bigint; expected: string[][] }> {
  const head = Number(await anvil.blockNumber())
  for (;;) {
    const block = BigInt(5 + random.int(head - 5))
    const expected = await holdersByChain(address, block)
    if (expected.length > 0) return { block, expected }
  }
}

const rootOf = (rows: string[][]) =>
  StandardMerkleTree.of(
    rows.map(([id, owner, amount]) => [owner, id, amount]),
    ['address', 'uint256', 'uint256'],
  ).root

test('behavior: the snapshot file matches the chain at a random block, with the root of the published Merkle tree', async () => {
  for (const address of [erc721, erc1155])
    for (const format of ['csv', 'ndjson', 'parquet']) {
      const { block, expected } = await blockWithHolders(address)
      const out = join(await temporaryFolder(), `holders.${format}`)
      const { code, err } = await run(['snapshot', 'local', address, '--at', String(block), '--out', out])
      expect([code, err]).toEqual([0, expect.stringMatching(/^(?:\d+ %, \d+ holders\n)*$/)])
      const rows = await rowsOf(out, format)
      expect(rows).toEqual(expected)
      const { hash } = await anvil.rpc<{ hash: Hex }>('eth_getBlockByNumber', [`0x${block.toString(16)}`, false])
      expect(JSON.parse(readFileSync(`${out}.json`, 'utf8'))).toEqual({
        ...{ chain: 'local', chainId: '31337', contract: address, block: String(block), blockHash: hash, format },
        ...{ standard: address === erc721 ? 'ERC721' : 'ERC1155', root: rootOf(expected), holders: rows.length },
      })
      const verified = await run(['verify', '--snapshot', out, '--rpc', anvil.url], { database: false })
      expect(verified).toMatchObject({ code: 0, out: expect.stringContaining('everything agrees') })
      const [id, owner, amount] = random.pick(expected) as [string, Address, string]
      const proven = await runCommand(['snapshot', 'proof', out, owner, id])
      expect(JSON.parse(proven.out)).toMatchObject({ root: rootOf(expected), owner, tokenId: id, amount })
    }
})

/** Token id, holder and amount of each row of a file. */
async function rowsOf(file: string, format: string): Promise<string[][]> {
  if (format === 'parquet') {
    const rows = await parquetReadObjects({ file: new Uint8Array(readFileSync(file)).buffer })
    return rows.map(({ token_id, owner_of, amount }) => [token_id, owner_of, amount])
  }
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  if (format === 'csv') return lines.slice(1).map((line) => line.split(','))
  return lines.map((line) => Object.values(JSON.parse(line)))
}

test('behavior: the HTTP snapshot equals the file, verifies by its headers, and a slow download survives removal of the file', async () => {
  for (const address of [erc721, erc1155]) {
    const { block, expected } = await blockWithHolders(address)
    const answer = await server.get(`/api/v2/nft/${address}/snapshot?chain=local&as_of_block=${block}`)
    for (const file of readdirSync(join(dataDir, 'files'))) rmSync(join(dataDir, 'files', file))
    const { hash } = await anvil.rpc<{ hash: Hex }>('eth_getBlockByNumber', [`0x${block.toString(16)}`, false])
    expect(answer.headers.get('x-snapshot-block-hash')).toBe(hash)
    expect(answer.headers.get('x-snapshot-root')).toBe(rootOf(expected))
    const text = await answer.text()
    expect(text.trimEnd().split('\n').slice(1)).toEqual(expected.map((row) => row.join()))
    const out = join(await temporaryFolder(), 'holders.csv')
    writeFileSync(out, text)
    writeFileSync(`${out}.json`, answer.headers.get('x-snapshot-facts') ?? '')
    const verified = await run(['verify', '--snapshot', out, '--rpc', anvil.url], { database: false })
    expect(verified).toMatchObject({ code: 0, out: expect.stringContaining('everything agrees') })
  }
})

test('behavior: an airdrop contract accepts the proofs of a snapshot, and no others', async () => {
  const out = join(await temporaryFolder(), 'holders.csv')
  const written = await run(['snapshot', 'local', erc1155, '--out', out, '--json'])
  const { root, block } = JSON.parse(written.out)
  const rows = await holdersByChain(erc1155, BigInt(block))
  const to = await anvil.deploy(airdrop, [root])
  for (const [id, owner, amount] of rows.slice(0, 3) as [string, Address, string][]) {
    const proven = await runCommand(['snapshot', 'proof', out, owner, id, '--format', 'csv'])
    expect(proven.err).toBe('')
    const { proof, ...leaf } = JSON.parse(proven.out)
    expect(leaf).toEqual({ root, owner, tokenId: id, amount })
    const claim = (units: bigint) =>
      anvil.send({ to, abi: airdrop.abi, functionName: 'claim', args: [owner, BigInt(id), units, proof] })
    await expect(claim(BigInt(amount) + 1n)).rejects.toBeInstanceOf(RevertedError)
    await claim(BigInt(amount))
  }
  const missing = await runCommand(['snapshot', 'proof', `${out}.none.csv`, `0x${'12'.repeat(20)}`, '1'])
  expect(missing).toMatchObject({ code: 1, err: `mintmark: there is no file ${out}.none.csv\n` })
  const stranger = await runCommand(['snapshot', 'proof', out, `0x${'12'.repeat(20)}`, '1'])
  expect(stranger).toMatchObject({ code: 1, err: expect.stringContaining('has no row of owner') })
})

test.each([
  [
    'an owner',
    (rows: string[]) => rows.with(1, rows[1]!.replace(/0x.{4}/, '0xdead')),
    /root.*rows differ from the chain/,
  ],
  ['an amount', (rows: string[]) => rows.with(1, rows[1]!.replace(/,1$/, ',2')), /1 rows differ from the chain/],
  ['a row omitted', (rows: string[]) => rows.toSpliced(1, 1), /the contract counts \d+ tokens/],
  ['a row given twice', (rows: string[]) => rows.toSpliced(1, 0, rows[1]!), /row 2 is not in the order/],
  ['a row that is none', (rows: string[]) => rows.with(1, '1,2'), /row 1 is not a holder/],
])('error: verify --snapshot rejects a file with a changed row: %s', async (_, alter, fault) => {
  const out = join(await temporaryFolder(), 'holders.csv')
  await run(['snapshot', 'local', erc721, '--out', out])
  writeFileSync(out, `${alter(readFileSync(out, 'utf8').trimEnd().split('\n')).join('\n')}\n`)
  const { code, err } = await run(['verify', '--snapshot', out, '--rpc', anvil.url], { database: false })
  expect([code, err]).toEqual([1, expect.stringMatching(fault)])
})

test('error: verify --snapshot rejects changed facts beside a file', async () => {
  const out = join(await temporaryFolder(), 'holders.csv')
  await run(['snapshot', 'local', erc721, '--out', out])
  const facts = JSON.parse(readFileSync(`${out}.json`, 'utf8'))
  const verify = (changed: object) => {
    writeFileSync(`${out}.json`, JSON.stringify({ ...facts, ...changed }))
    return run(['verify', '--snapshot', out, '--rpc', anvil.url], { database: false })
  }
  expect(await verify({ holders: facts.holders + 1 })).toMatchObject({
    ...{ code: 1, err: expect.stringContaining(`it has ${facts.holders} rows, not ${facts.holders + 1}`) },
  })
  expect(await verify({ chain: 'eth' })).toMatchObject({
    ...{ code: 1, err: 'mintmark: the id of the chain eth is not 0x7a69\n' },
  })
})

test('error: verify --snapshot finds omitted holders in the logs, even if root and count match the remaining rows', async () => {
  for (const address of [plain, erc1155]) {
    const out = join(await temporaryFolder(), 'holders.csv')
    await run(['snapshot', 'local', address, '--out', out])
    const [head, ...lines] = readFileSync(out, 'utf8').trimEnd().split('\n')
    const isSkipped = (_: string, row: number) => row % 2 === 1 && row < 120
    const kept = lines.filter((line, row) => !isSkipped(line, row))
    const facts = JSON.parse(readFileSync(`${out}.json`, 'utf8'))
    const root = rootOf(kept.map((line) => line.split(',')))
    writeFileSync(out, `${[head, ...kept].join('\n')}\n`)
    writeFileSync(`${out}.json`, JSON.stringify({ ...facts, root, holders: kept.length }))
    const verify = (...args: string[]) =>
      run(['verify', '--snapshot', out, '--rpc', anvil.url, ...args], { database: false })
    const missing = lines.length - kept.length
    const found = await verify('--json')
    expect(found).toMatchObject({ code: 1, err: expect.stringContaining(`${missing} rows differ`) })
    const { mismatches } = JSON.parse(found.out)
    const dropped = new Set(lines.filter(isSkipped).map((line) => line.split(',').slice(0, 2).join()))
    expect(
      new Set(mismatches.map(({ tokenId, owner }: { tokenId: string; owner: string }) => `${tokenId},${owner}`)),
    ).toEqual(dropped)
    expect(mismatches[0].file).toBeNull()
    const rowsOnly = await verify('--rows-only')
    expect(rowsOnly).toMatchObject({ code: 0, out: expect.stringContaining('missing holders were not searched') })
    const unresponsive = await createRpcServer(({ method, params }) =>
      method === 'eth_getLogs'
        ? new RpcFailure(-32_601, 'the method eth_getLogs does not exist')
        : anvil.rpc(method, params as unknown[]).catch(() => new RpcFailure(3, 'execution reverted')),
    )
    const without = await run(['verify', '--snapshot', out, '--rpc', unresponsive.url], { database: false })
    await unresponsive.close()
    expect(without).toMatchObject({ code: 1, err: expect.stringContaining('--rows-only skips this check') })
  }
})

test('error: snapshot and verify report each problem in one line', async () => {
  const folder = await temporaryFolder()
  const out = join(folder, 'holders.csv')
  expect(await run(['snapshot', 'local', erc721])).toMatchObject({ code: 2, err: expect.stringContaining('--out') })
  const beyond = await run(['snapshot', 'local', erc721, '--at', '99999', '--out', out])
  expect(beyond).toMatchObject({ code: 1, err: expect.stringMatching(/allowed with --at: a block from 0 to \d+\n$/) })
  expect((await run(['snapshot', 'local', erc721, '--out', out])).code).toBe(0)
  const again = await run(['snapshot', 'local', erc721, '--out', out])
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('already exists') })
  const facts = JSON.parse(readFileSync(`${out}.json`, 'utf8'))
  writeFileSync(`${out}.json`, JSON.stringify({ ...facts, blockHash: `0x${'ab'.repeat(32)}` }))
  const moved = await run(['verify', '--snapshot', out, '--rpc', anvil.url], { database: false })
  expect(moved).toMatchObject({ code: 1, err: expect.stringContaining(`is ${facts.blockHash} at `) })
  writeFileSync(`${out}.json`, '{}')
  expect(await run(['verify', '--snapshot', out])).toMatchObject({
    code: 1,
    err: expect.stringContaining('does not contain valid facts of a snapshot'),
  })
  expect(await run(['verify', '--snapshot', join(folder, 'none')])).toMatchObject({
    ...{ code: 1, err: expect.stringMatching(/none\.json is missing.*x-snapshot-facts/) },
  })
})

test('behavior: a snapshot needs only the block hash from a node, not the state of the block', async () => {
  await using full = await createRpcServer(({ method, params }) =>
    /^eth_(getCode|call)$/.test(method) ? new RpcFailure(-32000, 'missing trie node') : anvil.rpc(method, params),
  )
  const out = join(await temporaryFolder(), 'holders.csv')
  // The collection has no transfer in this block, so no stored transfer has its hash.
  const { code, err } = await run(['snapshot', 'local', erc721, '--at', '2', '--out', out], { node: full.url })
  expect([code, err]).toEqual([0, expect.not.stringContaining('mintmark:')])
  const { hash } = await anvil.rpc<{ hash: Hex }>('eth_getBlockByNumber', ['0x2', false])
  expect(JSON.parse(readFileSync(`${out}.json`, 'utf8'))).toMatchObject({ block: '2', blockHash: hash })
  expect(full.calls('eth_getBlockByNumber').length).toBeGreaterThan(0)
})

test('behavior: the snapshot format comes from the extension or --format, and a name without either is rejected', async () => {
  const folder = await temporaryFolder()
  for (const name of ['holders.xlsx', 'holders']) {
    const out = join(folder, name)
    const rejected = await run(['snapshot', 'local', erc721, '--out', out])
    expect(rejected).toMatchObject({
      code: 2,
      err: expect.stringMatching(/allowed are \.csv, \.ndjson, \.jsonl, \.parquet, or any/),
    })
    expect((await run(['snapshot', 'local', erc721, '--out', out, '--format', 'csv'])).code).toBe(0)
    expect(readFileSync(out, 'utf8')).toMatch(/^token_id,owner_of,amount\n/)
    const [, id, owner] = /^(\d+),(0x\w+),1$/m.exec(readFileSync(out, 'utf8'))!
    expect(await runCommand(['snapshot', 'proof', out, owner!, id!])).toMatchObject({ code: 2 })
    expect((await runCommand(['snapshot', 'proof', out, owner!, id!, '--format', 'csv'])).code).toBe(0)
  }
  const lines = join(folder, 'holders.JSONL')
  expect((await run(['snapshot', 'local', erc721, '--out', lines])).code).toBe(0)
  expect(readFileSync(lines, 'utf8')).toMatch(/^\{"token_id"/)
})

test('behavior: both snapshot files have the same permissions as other files of the user', async () => {
  const folder = await temporaryFolder()
  const out = join(folder, 'holders.csv')
  await run(['snapshot', 'local', erc721, '--out', out])
  writeFileSync(join(folder, 'other'), '')
  const modes = [out, `${out}.json`, join(folder, 'other')].map((path) => statSync(path).mode & 0o777)
  expect(new Set(modes).size).toBe(1)
})

test('error: snapshot reports a missing output folder', async () => {
  const out = join(await temporaryFolder(), 'none', 'holders.csv')
  const { code, err } = await run(['snapshot', 'local', erc721, '--out', out])
  expect([code, err]).toEqual([1, expect.stringMatching(/^mintmark: there is no folder \S+none: create it, or choose/)])
})
