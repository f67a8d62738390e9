// @module-tag system

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test, vi } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { deleteCollection } from '../../src/nft/store/requeueCollections.ts'
import { readWalletCoverage } from '../../src/nft/wallets/readWalletCoverage.ts'
import { type Address, zeroAddress } from '../../src/util/hex.ts'
import { type Anvil, startAnvil, toTransaction } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { type NftPage, type NftRecord, startTestServer, type TestServer, testApiKey } from '../mintmark.ts'
import { startOwnServer } from '../ownServer.ts'
import { patience } from '../patience.ts'
import { createRandom, freshSeed, type Random } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { startServiceProcess } from '../serviceProcess.ts'
import { stagedRows } from '../stagedRows.ts'
import { temporaryDataFolder } from '../temporaryFolder.ts'
import { expectWalletTruth } from '../walletTruth.ts'
import { byName, heldOf, type MoveRecord, readHoldings, readMoves } from './holdings.ts'
import { expectTruth } from './ownership.ts'

type Death = 'kill' | 'freeze' | 'backend'

/** In a soak: forty kills, with freezes and ends of backends between them. Otherwise one kill and one backend; a freeze takes as long as a lease. */
const deaths: readonly Death[] =
  inject('rounds') > 1
    ? Array.from({ length: 50 }, (_, i) => (i % 10 === 4 ? 'freeze' : i % 10 === 9 ? 'backend' : 'kill'))
    : ['kill', 'backend']

const chainId = 0x7a69n
const tables = ['wallet_transfer', 'wallet_token', 'wallet_collection', 'wallet_due']

/** Delays statements on the wallets' tables by some hundredths of a second, like a slow disk, so that kills hit running time slices. */
const slowly = `
CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(random() * 0.04); RETURN NULL; END $$;
${tables.map((table) => `CREATE TRIGGER slowly AFTER INSERT OR UPDATE OR DELETE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION slowly();`).join('\n')}`

/** The backends that currently process rows of wallets, and the process that each of them serves. */
const rounds = `
SELECT DISTINCT l.pid, w.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
JOIN collection c ON (c.id & 2147483647)::oid = l.objid
JOIN lease ON kind = 'partition' AND key = c.partition JOIN worker w ON w.id = worker_id
WHERE l.locktype = 'advisory' AND l.classid = 7206 AND l.granted`

/** Transfers of indexed collections up to block $2 that a sender's or receiver's wallet lacks, or that a wallet has but the collection lacks. */
const wrongMoves = `
WITH own AS (
  SELECT t.*, c.id FROM transfer t JOIN collection c ON c.partition = t.partition AND c.id = t.collection_id
  WHERE c.chain_id = $1 AND t.position < ($2::bigint + 1) << 20
), sides AS (
  SELECT DISTINCT s.wallet, position, item, id FROM own CROSS JOIN LATERAL (VALUES (from_address), (to_address)) AS s (wallet)
  WHERE s.wallet <> decode(repeat('00', 20), 'hex')
), listed AS (
  SELECT h.wallet, h.position, h.item, h.collection_id FROM wallet_transfer h JOIN collection c ON c.id = h.collection_id
  WHERE h.chain_id = $1 AND h.position < ($2::bigint + 1) << 20
)
(TABLE sides EXCEPT ALL TABLE listed) UNION ALL (TABLE listed EXCEPT ALL TABLE sides) LIMIT 5`

/**
 * Expects the reported coverage of wallets to be correct, within one snapshot. Returns whether anything was covered.
 * Returns false while the database is unreachable.
 */
async function expectCovered(db: Database): Promise<boolean> {
  const seen = await db
    .transaction(async (tx) => {
      const { toBlock } = await readWalletCoverage(tx, chainId)
      return toBlock === null ? undefined : { toBlock, wrong: await tx.rows(wrongMoves, [chainId, toBlock]) }
    }, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')
    .catch(() => undefined)
  if (seen) expect(seen.wrong, `wallets cover block ${seen.toBlock}`).toEqual([])
  return seen !== undefined
}

async function walk<T>(server: TestServer, path: string): Promise<T[]> {
  const items: T[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const response = await server.get(`${path}${cursor && `&cursor=${cursor}`}`)
    const page = (await response.json()) as NftPage
    expect(response.status, JSON.stringify(page)).toBe(200)
    items.push(...(page.result as unknown as T[]))
    cursor = page.cursor
  }
  return items
}

/** Expects every wallet to match the contracts and the logs. */
async function expectChain(
  anvil: Anvil,
  server: TestServer,
  contracts: { erc721: Address[]; erc1155: Address[] },
): Promise<void> {
  const all = [...contracts.erc721, ...contracts.erc1155]
  const holdings = await readHoldings(anvil, contracts)
  for (const wallet of new Set([...anvil.accounts, ...holdings.keys()])) {
    if (wallet === zeroAddress) continue
    const held = heldOf(await walk<NftRecord>(server, `/api/v2/${wallet}/nft?chain=local`))
    expect(held, wallet).toEqual((holdings.get(wallet) ?? []).toSorted(byName))
    const moved = await walk<MoveRecord>(server, `/api/v2/${wallet}/nft/transfers?chain=local&order=ASC`)
    expect(moved, wallet).toMatchObject(await readMoves(anvil, all, wallet))
  }
}

/** Kills a backend. The server then ends all other backends as well, and recovers. */
async function killBackend(db: Database, pid: number): Promise<void> {
  const other = await db.connect()
  const ended = new Promise((resolve) => other.once('error', () => undefined).once('end', resolve))
  process.kill(pid, 'SIGKILL')
  await ended
  const answers = () => db.rows('SELECT 1').then(Boolean, () => false)
  await vi.waitUntil(answers, patience)
}

async function moveChain(anvil: Anvil, contracts: { erc721: Address[]; erc1155: Address[] }, random: Random) {
  await randomActivity(anvil, contracts, random, 3)
  const [to] = contracts.erc721 as [Address]
  const mint = { to, abi: plain721.abi, functionName: 'mint', args: [anvil.accounts[0]!, random.uint256()] }
  await anvil.reorg(1 + random.int(7), [[toTransaction(mint), 0]])
  await anvil.mine(1)
}

test('behavior: wallets match the chain although sync processes are killed and frozen, and the database crashes', async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  await using anvil = await startAnvil({ slotsInAnEpoch: 8 })
  await using own = await startOwnServer()
  const { db, url: databaseUrl } = own.database
  await db.transaction((tx) => tx.script(slowly))
  const contracts = {
    erc721: [await anvil.deploy(plain721, ['Ones', 'ONE', '']), await anvil.deploy(plain721, ['Twos', 'TWO', ''])],
    erc1155: [await anvil.deploy(plain1155, ['Many', 'MNY'])],
  }
  const all = [...contracts.erc721, ...contracts.erc1155]
  await randomActivity(anvil, contracts, random, 60)

  const folder = await temporaryDataFolder()
  const configFile = join(folder, 'mintmark.config.json')
  const chains = { local: { id: '0x7a69', rpc: [anvil.url], pollIntervalMs: 20 } }
  const ranges = { rpc: { maxLogRange: 2 }, sync: { sliceMs: 200 } }
  const config = { role: 'sync', port: 0, apiKey: testApiKey, databaseUrl, databasePoolSize: 8, dataDir: folder }
  await writeFile(configFile, JSON.stringify({ ...config, chains, ...ranges }))
  const running = new Set<ChildProcess>()
  const start = async () => {
    const { child } = await startServiceProcess(configFile)
    running.add(child)
    child.once('exit', () => running.delete(child))
  }
  await Promise.all([start(), start()])
  const serve = () => startTestServer({ rpc: [anvil.url], database: own.database, config: { role: 'api' } })
  {
    await using requested = await serve()
    for (const address of all) await requested.page(address)
  }

  /** The backend and the process of a running time slice. */
  async function findSlice(): Promise<{ backend: number; child: ChildProcess }> {
    return vi.waitUntil(
      async () => {
        const found = await db.rows<[number, number]>(rounds).catch(() => [])
        const [backend, pid] = found[0] ?? []
        const child = [...running].find((one) => one.pid === pid)
        return backend !== undefined && child && { backend, child }
      },
      { ...patience, interval: 1 },
    )
  }

  let covered = 0
  for (const death of deaths) {
    const moving = moveChain(anvil, contracts, random)
    // Reindexes a collection: this creates a time slice to hit, and rows of a removed collection that must not remain.
    const address = random.pick(all)
    await deleteCollection(db, { chainId, address, requeue: true, held: false })
    const { backend, child } = await findSlice()
    await new Promise((resolve) => setTimeout(resolve, random.int(80)))
    if (death === 'kill') {
      child.kill('SIGKILL')
      await once(child, 'exit')
      await start()
    } else if (death === 'freeze') {
      child.kill('SIGSTOP')
      const leases = 'SELECT 1 FROM lease JOIN worker w ON w.id = worker_id WHERE w.pid = $1'
      await vi.waitUntil(async () => (await db.rows(leases, [child.pid])).length === 0, patience)
      child.kill('SIGCONT')
    } else await killBackend(db, backend)
    await moving
    if (await expectCovered(db)) covered++
  }

  await using server = await serve()
  for (const address of all) await expectTruth({ anvil, client: server }, address)
  await vi.waitFor(async () => {
    // A process that was killed during a removal keeps it reserved for a minute.
    await db.run('UPDATE collection_removal SET due_at = now()')
    await expectWalletTruth(db)
    expect(await readWalletCoverage(db, chainId)).toMatchObject({ toBlock: await anvil.blockNumber() })
  }, patience)
  expect(await expectCovered(db)).toBe(true)
  expect(covered).toBeGreaterThan(0)
  expect(await stagedRows(db)).toEqual([])
  await expectChain(anvil, server, contracts)
  for (const child of running) {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
})
