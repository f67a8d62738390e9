import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { tokenHash } from '../../src/nft/transfers/tokenHash.ts'
import { type Address, hexToBuffer } from '../../src/util/hex.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { runCommand } from '../commandLine.ts'
import { both } from '../contracts/artifacts/both.ts'
import { startTestServer, type TestServer } from '../mintmark.ts'
import { patience } from '../patience.ts'
import { scratchFolder } from '../scratchFolder.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { createVerifier } from '../verify/verifying.ts'
import { expectTruth } from './ownership.ts'

// A contract that implements and reports both ERC-721 and ERC-1155. Checks its list, its verification and its snapshots.

let anvil: Anvil
let server: TestServer
let verifier: ReturnType<typeof createVerifier>
let dataDir: string
let alice: Address
let bob: Address
let to: Address

beforeAll(async () => {
  anvil = await startAnvil({ slotsInAnEpoch: 4 })
  ;[alice, bob] = anvil.accounts as [Address, Address]
  to = await anvil.deploy(both, [])
  await mint721(alice, 1n)
  await mint1155(alice, 2n, 9n)
  await mint1155(bob, 2n, 4n)
  await anvil.mine(10)
  dataDir = await scratchFolder('mintmark-both-')
  server = await startTestServer({ rpc: [anvil.url], config: { dataDir } })
  verifier = createVerifier(server.database.url)
})
afterAll(async () => {
  verifier?.close()
  await server?.close()
  await anvil?.stop()
  if (dataDir) rmSync(dataDir, { recursive: true, force: true })
})

const repairs: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const repair of repairs.splice(0)) await repair()
})

const mint721 = (holder: Address, id: bigint) =>
  anvil.send({ to, abi: both.abi, functionName: 'mint721', args: [holder, id] })
const mint1155 = (holder: Address, id: bigint, amount: bigint) =>
  anvil.send({ to, abi: both.abi, functionName: 'mint1155', args: [holder, id, amount] })

test('default: lists the tokens of both standards, from history and from new blocks', async () => {
  const types = async () =>
    (await expectTruth({ anvil, client: server }, to)).map((r) => [r.token_id, r.contract_type, r.amount]).sort()
  expect(await types()).toEqual([
    ['1', 'ERC721', '1'],
    ['2', 'ERC1155', '13'],
  ])
  await mint721(bob, 3n)
  // Both events affect one id. The ERC-1155 units decide its type.
  await mint1155(bob, 4n, 1n)
  await mint721(bob, 4n)
  expect(await types()).toEqual([
    ['1', 'ERC721', '1'],
    ['2', 'ERC1155', '13'],
    ['3', 'ERC721', '1'],
    ['4', 'ERC1155', '1'],
  ])
  const block = String(await anvil.blockNumber())
  for (const query of [{}, { as_of_block: block }])
    expect((await server.page(to, query)).headers.get('x-index-incomplete')).toBe(null)
})

const run = (text: string, values: unknown[]) => server.database.db.run(text, values)
const hashOf = (id: bigint) => tokenHash(to, String(id))

test('behavior: verify compares token owners, balances and counters of both standards', async () => {
  // The wallets' tables lag behind the transfers.
  const pendingUpdates = () => server.database.db.rows('SELECT 1 FROM wallet_due')
  await vi.waitFor(async () => expect(await pendingUpdates()).toEqual([]), patience)
  const head = await anvil.blockNumber()
  for (const at of [head, head - 1n]) {
    const { code, report } = await verifier.verify([anvil.url], to, '--at', String(at))
    expect(code).toBe(0)
    expect(report).toMatchObject({ agrees: true, compared: { tokens: 4, balances: 3 }, mismatches: [], counters: [] })
    expect(report.walletFaults).toMatchObject({ tokens: '0', collections: '0', transfers: '0' })
  }

  const ownerOf = 'UPDATE token SET owner = $2 WHERE token_hash = $1'
  await run(ownerOf, [hashOf(1n), hexToBuffer(bob)])
  repairs.push(() => run(ownerOf, [hashOf(1n), hexToBuffer(alice)]))
  const change = 'UPDATE balance SET amount = amount + $3 WHERE token_hash = $1 AND holder = $2'
  await run(change, [hashOf(2n), hexToBuffer(bob), 2])
  repairs.push(() => run(change, [hashOf(2n), hexToBuffer(bob), -2]))
  const { code, report } = await verifier.verify([anvil.url], to)
  expect(code).toBe(1)
  expect(report.mismatches).toEqual(
    expect.arrayContaining([
      { kind: 'owner', tokenId: '1', holder: null, stored: bob, chain: alice },
      { kind: 'balance', tokenId: '2', holder: bob, stored: '6', chain: '4' },
    ]),
  )
  expect(report.mismatches).toHaveLength(2)
})

test('behavior: a snapshot contains the holders of both standards, and is verified against the nodes', async () => {
  // Only the ERC-1155 event determines the owners of token 5.
  await mint721(alice, 5n)
  await mint1155(bob, 5n, 2n)
  const block = await anvil.blockNumber()
  await anvil.mine(10)
  await server.untilSynced(to, await anvil.blockNumber())
  const url = `/api/v2/nft/${to}/snapshot?chain=local&as_of_block=${block}`
  const answer = await server.get(url)
  const rows = [`1,${alice},1`, ...[`2,${alice},9`, `2,${bob},4`].sort(), `3,${bob},1`, `4,${bob},1`, `5,${bob},2`]
  const text = await answer.text()
  expect(text.trim().split('\n').slice(1)).toEqual(rows)
  const facts = answer.headers.get('x-snapshot-facts')!
  expect(JSON.parse(facts)).toMatchObject({ standard: 'both', holders: 6 })

  const folder = await temporaryFolder()
  const verify = async (csv: string) => {
    const out = join(folder, 'holders.csv')
    writeFileSync(out, csv)
    writeFileSync(`${out}.json`, facts)
    const config = join(folder, 'mintmark.config.json')
    writeFileSync(config, '{}')
    const { code, out: report } = await runCommand([
      ...['verify', '--snapshot', out, '--rpc', anvil.url, '--json', '--config', config],
    ])
    return { code, ...JSON.parse(report) }
  }
  expect(await verify(text)).toMatchObject({ code: 0, compared: 6, named: 0, mismatches: [] })
  // Removes a token and some ERC-1155 units from the file.
  const lacking = text.replace(`1,${alice},1\n`, '').replace(`2,${bob},4\n`, '')
  const { code, mismatches } = await verify(lacking)
  expect([code, mismatches]).toEqual([
    1,
    [
      { tokenId: '2', owner: bob, file: null, chain: '4' },
      { tokenId: '1', owner: alice, file: null, chain: alice },
    ],
  ])
})
