import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, onTestFinished } from 'vitest'
import { readBackupFile } from '../../src/db/backup/backupFile.ts'
import { readPlaces } from '../../src/db/cluster/citus.ts'
import type { Database } from '../../src/db/database.ts'
import { distribute, planDistribution } from '../../src/db/migrations/distribute.ts'
import { migrations } from '../../src/db/migrations/index.ts'
import { migrate } from '../../src/db/migrations/migrate.ts'
import type { Address } from '../../src/util/hex.ts'
import { noopLog } from '../../src/util/log.ts'
import { startAnvil } from '../anvil.ts'
import { commandEnv } from '../commandEnv.ts'
import { runCommand } from '../commandLine.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { createTestDatabase, databaseUrl } from '../database.ts'
import { createNftClient, testApiKey } from '../mintmark.ts'
import { startReceiver } from '../receiver.ts'
import { startServiceProcess } from '../serviceProcess.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { testOnTwoNodes } from './onTwoNodes.ts'

const main = join(import.meta.dirname, '../../src/main.ts')

/** Runs a command that must succeed, and returns its output. */
async function run(...args: string[]): Promise<string> {
  const { code, out, err } = await runCommand(args)
  if (code !== 0) throw new Error(`${args.join(' ')}: ${err}`)
  return out
}

/** Kills the distribution once the first table is distributed. */
async function cutDistribution(url: string): Promise<void> {
  const args = ['migrate', '--distribute', '--shards', '4', '--database-url', url]
  const child = spawn(process.execPath, [main, ...args], { env: commandEnv, stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('collection is distributed')) child.kill('SIGKILL')
  })
  await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
}

async function unplaced(db: Database): Promise<string[]> {
  return (await readPlaces(db)).filter(({ placed }) => !placed).map(({ table }) => table)
}

/** The rows of a backup, without its header, which contains the time. Rows of several nodes come in any order. */
async function rowsOf(file: string): Promise<string[]> {
  const frames: Buffer[] = []
  for await (const frame of readBackupFile(file)) frames.push(frame)
  return String(Buffer.concat(frames.slice(1)))
    .split(/\n|(?={"table":)|(?<="\]})/)
    .sort()
}

testOnTwoNodes(
  'behavior: a database with rows is distributed, even after an interruption, then continues and is migrated, verified, saved and restored (skipped without a cluster of two workers)',
  async () => {
    const folder = await temporaryFolder()
    const { db, url, connection, drop } = await createTestDatabase({ migrated: false })
    onTestFinished(drop)
    await using anvil = await startAnvil()
    await using receiver = await startReceiver(() => 200)
    const contracts: Address[] = []
    for (const name of ['One', 'Two', 'Three']) contracts.push(await anvil.deploy(plain721, [name, name, 'data:,']))
    const mint = async (first: bigint) => {
      for (const to of contracts)
        await anvil.send({ to, abi: plain721.abi, functionName: 'mintBatch', args: [anvil.accounts[1]!, first, 5n] })
    }
    let starts = 0
    const start = async (at: string, role = 'all') => {
      const configFile = join(folder, `${++starts}.json`)
      const chains = { local: { id: '0x7a69', rpc: [anvil.url], pollIntervalMs: 20, confirmations: 1 } }
      const config = { port: 0, role, apiKey: testApiKey, databaseUrl: at, chains, outbound: { allow: ['127.0.0.1'] } }
      await writeFile(configFile, JSON.stringify({ ...config, dataDir: join(folder, 'data') }))
      const server = await startServiceProcess(configFile)
      const client = createNftClient(server.url)
      return {
        ...{ url: server.url, configFile },
        stop: async () => {
          server.child.kill('SIGTERM')
          await once(server.child, 'exit')
        },
        /** Number of tokens of each collection at the head. */
        async tokens() {
          const head = await anvil.blockNumber()
          const counts: number[] = []
          for (const contract of contracts) {
            await client.untilSynced(contract, head)
            counts.push((await client.walk(contract)).length)
          }
          return counts
        },
      }
    }
    /** Waits until the receiver has unconfirmed or confirmed webhooks of each block so far, and every attempt is stored. */
    const untilDelivered = async () => {
      const blocks = Number(await anvil.blockNumber())
      await receiver.until((all) => all.some(({ body }) => JSON.parse(body).block.number === String(blocks)))
      await expect
        .poll(async () => (await db.rows('SELECT count(*)::int FROM webhook_queue'))[0])
        .toEqual([expect.toBeOneOf([0, 1, 2, 3])])
    }

    await mint(0n)
    await run('migrate', '--database-url', url)
    const one = await start(url)
    const request = { webhookUrl: receiver.url, description: 'kept', tag: 'kept', chainIds: ['0x7a69'] }
    const created = await fetch(`${one.url}/streams/evm`, {
      method: 'PUT',
      headers: { 'x-api-key': testApiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ ...request, includeContractLogs: true, allAddresses: true, topic0: [transferTopic] }),
    })
    expect(created.status).toBe(200)
    expect(await one.tokens()).toEqual([5, 5, 5])
    await mint(10n)
    await untilDelivered()
    expect(await one.tokens()).toEqual([10, 10, 10])

    // The command is rejected while any process uses the tables, whatever its role.
    const rejected = await runCommand(['migrate', '--distribute', '--database-url', url])
    expect(rejected).toMatchObject({ code: 1, err: expect.stringContaining('stop all servers before') })
    await one.stop()
    const api = await start(url, 'api')
    expect(await runCommand(['migrate', '--distribute', '--database-url', url])).toMatchObject({
      code: 1,
      err: expect.stringContaining('stop all servers before'),
    })
    await api.stop()
    const before = join(folder, 'before.mintmark')
    await run('backup', before, '--database-url', url)

    await cutDistribution(url)
    expect((await unplaced(db)).length).toBeGreaterThan(0)
    // No server starts on partly distributed tables, nor while they are being distributed.
    await expect(start(url)).rejects.toThrow('the distribution of the tables was interrupted')
    const mover = await db.connect()
    await mover.query('SELECT pg_advisory_lock(7205746602)')
    await expect(start(url)).rejects.toThrow('the tables are being distributed')
    await mover.end()
    // A frozen server has no heartbeat but still holds its lock.
    const frozen = await db.connect()
    await frozen.query(`INSERT INTO worker (id, host, pid) OVERRIDING SYSTEM VALUE VALUES (1000, 'frozen', 1)`)
    await frozen.query('SELECT pg_advisory_lock(7205, 1000)')
    expect(await runCommand(['migrate', '--distribute', '--database-url', url])).toMatchObject({
      code: 1,
      err: expect.stringContaining('frozen:1 run on this database'),
    })
    await frozen.end()
    await db.run(`DELETE FROM worker WHERE host = 'frozen'`)
    const output = await run('migrate', '--distribute', '--database-url', url)
    expect(output).toMatch(/^nothing to migrate\nby partition, in 4 shards on .*: .*webhook.*\nwhole on every node: /)
    expect(await unplaced(db)).toEqual([])
    const { host, port } = inject('postgres').workers[0]!
    const worker = databaseUrl({ ...connection, host, port })
    for (const command of ['migrate', 'status'])
      expect(await runCommand([command, '--database-url', worker])).toEqual({
        ...{ code: 1, out: '' },
        err: 'mintmark: the database is a worker of a Citus cluster: set --database-url (databaseUrl) to its coordinator\n',
      })
    const again = await run('migrate', '--distribute', '--database-url', url)
    expect(again).toMatch(/^nothing to migrate\nnothing to distribute: the tables are in 4 shards on .*, .*\n$/)
    expect(await runCommand(['migrate', '--distribute', '--shards', '8', '--database-url', url])).toMatchObject({
      code: 1,
      err: expect.stringContaining('the tables are in 4 shards'),
    })
    const status = JSON.parse(await run('status', '--json', '--database-url', url))
    expect(status.cluster).toMatchObject({ shards: 4 })
    expect(await run('status', '--database-url', url)).toMatch(/\nnodes: .* with 2, .* with 2 of 4 shards\n/)
    // The sizes include the rows on the nodes.
    expect(status.stored.find(({ kind }: { kind: string }) => kind === 'tokens').bytes).toBeGreaterThan(100_000)
    const after = join(folder, 'after.mintmark')
    await run('backup', after, '--database-url', url)
    expect(await rowsOf(after)).toEqual(await rowsOf(before))

    // A later migration changes a table of each kind, and creates another one.
    const next = {
      id: migrations.at(-1)!.id + 1,
      name: 'next',
      sql: [
        `ALTER TABLE collection ADD COLUMN words text NOT NULL DEFAULT 'none'`,
        'ALTER TABLE chain ADD COLUMN words text',
        `UPDATE collection SET words = 'of ' || encode(address, 'hex')`,
        `UPDATE chain SET words = 'local'`,
        'CREATE INDEX collection_words ON collection (words)',
        'CREATE TABLE later (partition int2 NOT NULL, collection_id int8 NOT NULL, word text, PRIMARY KEY (partition, collection_id))',
        `INSERT INTO later SELECT partition, id, 'kept' FROM collection`,
      ],
    }
    expect(await migrate(db, noopLog, [...migrations, next])).toEqual([next.id])
    expect(await unplaced(db)).toEqual([])
    const joined = `SELECT count(*)::int FROM later l JOIN collection c ON c.partition = l.partition AND c.id = l.collection_id
      WHERE c.words = 'of ' || encode(c.address, 'hex') AND l.word = 'kept'`
    expect(await db.rows(joined)).toEqual([[3]])
    const undone = [
      'DROP TABLE later',
      'ALTER TABLE collection DROP COLUMN words',
      'ALTER TABLE chain DROP COLUMN words',
      `DELETE FROM migration WHERE id = ${next.id}`,
    ]
    for (const statement of undone) await db.run(statement)

    const two = await start(url)
    expect(await two.tokens()).toEqual([10, 10, 10])
    await mint(20n)
    await untilDelivered()
    expect(await two.tokens()).toEqual([15, 15, 15])
    await two.stop()
    const streams = () => runCommand(['verify', '--streams', '--json', '--database-url', url])
    expect(JSON.parse((await streams()).out).mismatches).toEqual([])
    for (const contract of contracts) {
      const at = String(Number(await anvil.blockNumber()) - 2)
      const args = ['local', contract, '--at', at, '--json', '--config', two.configFile]
      expect(await runCommand(['verify', ...args])).toMatchObject({ code: 0 })
    }
    await db.run('UPDATE webhook_delivered SET delivered = delivered + 1')
    expect(await streams()).toMatchObject({ code: 1 })
    await db.run('UPDATE webhook_delivered SET delivered = delivered - 1')

    const saved = join(folder, 'saved.mintmark')
    await run('backup', saved, '--database-url', url)
    const restored = await createTestDatabase({ migrated: false })
    onTestFinished(restored.drop)
    await run('restore', saved, '--active', '--database-url', restored.url)
    await run('migrate', '--distribute', '--shards', '4', '--database-url', restored.url)
    const copy = join(folder, 'copy.mintmark')
    await run('backup', copy, '--database-url', restored.url)
    expect(await rowsOf(copy)).toEqual(await rowsOf(saved))
    const three = await start(restored.url)
    await mint(30n)
    expect(await three.tokens()).toEqual([20, 20, 20])
    await three.stop()
  },
)

testOnTwoNodes(
  'behavior: empty tables are distributed many per transaction, because opening one on all nodes takes longer than a table (skipped without a cluster of two workers)',
  async () => {
    const { db, drop } = await createTestDatabase({ migrated: false })
    onTestFinished(drop)
    await migrate(db, noopLog)
    const reported: string[] = []
    let transactions = 0
    const counted: Database = {
      ...db,
      transaction: (work, settings) => {
        transactions++
        return db.transaction(work, settings)
      },
    }
    const plan = await planDistribution(db, 32)
    const remaining = await unplaced(db)
    await distribute(counted, { plan, onTable: ({ table }) => reported.push(table) })
    expect(reported.sort()).toEqual(remaining)
    expect(await unplaced(db)).toEqual([])
    expect(remaining.length / transactions).toBeGreaterThan(5)
  },
)

const transferTopic = 'Transfer(address,address,uint256)'
