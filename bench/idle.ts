import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startDemoChain } from '../src/cli/demo/chain.ts'
import { createDatabase, type Database } from '../src/db/database.ts'
import { partitionOf } from '../src/sync/partition.ts'
import { bufferToHex } from '../src/util/hex.ts'
import { noopLog } from '../src/util/log.ts'
import type { Figure } from './figure.ts'
import { getPage, type MeasuredService, startMeasuredService } from './measuredService.ts'
import { seededRandom } from './seededRandom.ts'
import { startTemporaryPostgres } from './temporaryPostgres.ts'

const collections = 100_000
/** Time after the start of a service. After it only regular work runs. */
const settlingMs = 30_000
const measuredMs = 30_000

/** Measures the cost of a server's regular work while no client sends a request, with one and with many live collections. */
export const idle: Figure = {
  name: 'idle',
  title: `A server without requests, a block every two seconds, ${collections.toLocaleString('en')} live collections`,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
    const chain = await startDemoChain({ folder, log: noopLog })
    const postgres = await startTemporaryPostgres()
    const db = createDatabase({ connection: postgres.connection, poolSize: 1, log: noopLog })

    async function measure(begin: (service: MeasuredService) => Promise<void>): Promise<Cpu> {
      const service = await startMeasuredService({ databaseUrl: postgres.url, nodeUrl: chain.rpcUrl })
      await begin(service)
      await wait(settlingMs)
      const before = await cpuOf(service, db)
      await wait(measuredMs)
      const after = await cpuOf(service, db)
      await service.stop()
      const seconds = measuredMs / 1_000
      return {
        service: (after.service - before.service) / seconds,
        database: (after.database - before.database) / seconds,
      }
    }

    const one = await measure(async ({ url }) => {
      while ((await getPage(url, chain.collections.erc721, {})).status !== 'SYNCED') await wait(100)
    })
    await copyCollection(db)
    const all = await measure(async () => undefined)
    await db.close()
    await postgres.stop()
    await chain.stop()
    rmSync(folder, { recursive: true, force: true })
    return [
      { what: 'CPU of the service, one collection', value: one.service, unit: 'ms/s' },
      { what: 'CPU of PostgreSQL, one collection', value: one.database, unit: 'ms/s' },
      { what: 'CPU of the service, all of them', value: all.service, unit: 'ms/s' },
      { what: 'CPU of PostgreSQL, all of them', value: all.database, unit: 'ms/s' },
      {
        what: 'CPU that the others add to both',
        value: all.service + all.database - one.service - one.database,
        unit: 'ms/s',
        goal: { atMost: 20 },
      },
    ]
  },
}

/** Milliseconds of processor time. */
type Cpu = { service: number; database: number }

async function cpuOf(service: MeasuredService, db: Database): Promise<Cpu> {
  const [row] = await db.rows<[number]>('SELECT pg_backend_pid()')
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? processOf(Number(name)) : []))
  const postmaster = all.find(({ pid }) => pid === row![0])!.parent
  const own = all.filter(({ pid, parent }) => pid === postmaster || parent === postmaster)
  return {
    service: all.find(({ pid }) => pid === service.pid)!.ms,
    // The kernel counts the time of ended processes at their parent.
    database: own.reduce((sum, { pid, ms, endedMs }) => sum + ms + (pid === postmaster ? endedMs : 0), 0),
  }
}

/** Reads proc_pid_stat(5) of a process, with times in hundredths of a second; empty if the process has ended. */
function processOf(pid: number): { pid: number; parent: number; ms: number; endedMs: number }[] {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return []
  }
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15)
  return [{ pid, parent: fields[1]!, ms: (user! + system!) * 10, endedMs: (endedUser! + endedSystem!) * 10 }]
}

/** Makes many live copies of the one collection, each at its own address. */
async function copyCollection(db: Database): Promise<void> {
  const [row] = await db.rows<[chainId: bigint]>('SELECT chain_id FROM collection')
  const random = seededRandom(5)
  const addresses = Array.from({ length: collections }, () =>
    Buffer.from(Array.from({ length: 20 }, () => Math.floor(random() * 256))),
  )
  await db.run(
    `INSERT INTO collection (partition, chain_id, address, status, standard, name, symbol, live_since, from_block, to_block,
       coverage, checked_at, assessed_at)
     SELECT v.partition, c.chain_id, v.address, c.status, c.standard, c.name, c.symbol, c.live_since, c.from_block, c.to_block,
       c.coverage, now(), now()
     FROM collection c, unnest($1::smallint[], $2::bytea[]) AS v (partition, address)`,
    [addresses.map((address) => partitionOf(row![0], bufferToHex(address) as `0x${string}`)), addresses],
  )
}
