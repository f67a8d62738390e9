import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../src/config/config.ts'
import { createDatabase, type Database } from '../src/db/database.ts'
import type { Address } from '../src/util/hex.ts'
import { noopLog } from '../src/util/log.ts'
import { startAnvil } from '../test/anvil.ts'
import { plain721 } from '../test/contracts/artifacts/plain721.ts'
import { createBlockStream, startBlockReceiver } from './blockWebhooks.ts'
import { type Figure, medians } from './figure.ts'
import { benchChain, type MeasuredService, startMeasuredService } from './measuredService.ts'
import { startTemporaryPostgres } from './temporaryPostgres.ts'

const rounds = 3

/** How the processes that follow the chain and deliver the stream end. `atMost`: milliseconds until others must have their leases. */
const ends = [
  { signal: 'SIGKILL', what: 'killed', atMost: 2_000 },
  { signal: 'SIGSTOP', what: 'frozen', atMost: 10_000 },
  { signal: 'SIGTERM', what: 'stopped', atMost: 500 },
] as const

/** Two processes of each role share the work. The ones with the chain and the stream end, and the others take their leases over. */
export const takeover: Figure = {
  name: 'takeover',
  title:
    'The processes that follow a chain and deliver a stream end: time until others have all their leases, and until a new block has its webhook',
  async run() {
    const anvil = await startAnvil({ slotsInAnEpoch: 4 })
    const [holder] = anvil.accounts as [Address]
    const contract = await anvil.deploy(plain721, ['Timed', 'TMD', ''])
    const postgres = await startTemporaryPostgres()
    const receiver = await startBlockReceiver()
    const db = createDatabase({ connection: postgres.connection, poolSize: 2, log: noopLog })
    const running = new Map<number, { role: Config['role']; service: MeasuredService }>()
    const start = async (role: Config['role']) => {
      const service = await startMeasuredService({
        databaseUrl: postgres.url,
        config: {
          ...{ role, outbound: { allow: ['127.0.0.1'] } },
          chains: { [benchChain.name]: { id: benchChain.id, rpc: [anvil.url], pollIntervalMs: 50 } },
        },
      })
      running.set(service.pid, { role, service })
      return service
    }
    const { url } = await start('api')
    for (const role of ['sync', 'sync', 'deliver', 'deliver'] as const) await start(role)
    await createBlockStream(url, receiver.url, contract)
    let next = 0n
    /** Mints in a new block and returns when its webhook arrived. */
    const mint = async () => {
      const mintOf = { to: contract, abi: plain721.abi, functionName: 'mint', args: [holder, next++] } as const
      const { blockNumber } = await anvil.send(mintOf)
      return receiver.unconfirmed(blockNumber)
    }
    await mint()

    const rows = await medians(rounds, async () => {
      const found = []
      for (const { signal, what, atMost } of ends) {
        const held = await sharedHolders(db)
        const pids = held.map(({ pid }) => pid)
        const began = performance.now()
        for (const pid of pids) process.kill(pid, signal)
        await untilTaken(
          db,
          held.map(({ worker }) => worker),
        )
        const taken = performance.now() - began
        const reported = (await mint()) - began
        found.push(
          { what: `${what}: all leases`, value: taken, unit: 'ms', goal: { atMost } },
          { what: `${what}: a block mined then has its webhook`, value: reported, unit: 'ms' },
        )
        if (signal === 'SIGSTOP') for (const pid of pids) process.kill(pid, 'SIGCONT')
        else for (const pid of pids) await replace(pid)
      }
      return found
    })

    async function replace(pid: number): Promise<void> {
      const { role, service } = running.get(pid)!
      running.delete(pid)
      await service.stop()
      await start(role)
    }

    for (const { service } of running.values()) await service.stop()
    await db.close()
    receiver.close()
    await postgres.stop()
    await anvil.stop()
    return rows
  },
}

/** Waits until two processes share the leases of each kind. Returns the ones that follow the chain and deliver the stream. */
async function sharedHolders(db: Database): Promise<{ pid: number; worker: number }[]> {
  for (;;) {
    const rows = await db.rows<[number, number]>(
      `SELECT DISTINCT w.pid, w.id FROM lease l JOIN worker w ON w.id = worker_id
       WHERE (kind = 'chain' AND l.key = $1 OR kind = 'delivery' AND l.key = (SELECT partition FROM stream))
         AND (SELECT count(DISTINCT worker_id) > 1 AND bool_and(worker_id IS NOT NULL) FROM lease p
              WHERE p.kind = CASE l.kind WHEN 'chain' THEN 'partition' ELSE 'delivery' END)`,
      [BigInt(benchChain.id)],
    )
    if (rows.length === 2) return rows.map(([pid, worker]) => ({ pid, worker }))
    await wait(50)
  }
}

/** Waits until other workers have every lease of these workers. */
async function untilTaken(db: Database, workers: readonly number[]): Promise<void> {
  const missing = 'SELECT 1 FROM lease WHERE worker_id IS NULL OR worker_id = ANY($1::integer[])'
  while ((await db.rows(missing, [workers])).length > 0) await wait(10)
}
