import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createDatabase } from '../src/db/database.ts'
import { migrate } from '../src/db/migrations/migrate.ts'
import { LiveWallets } from '../src/nft/walletHistory/liveWallets.ts'
import { readLiveWallets } from '../src/nft/walletHistory/walletStore.ts'
import { noopLog } from '../src/util/log.ts'
import { addWallets, rounds, type Shape, timeSteps } from './discovery.ts'
import { type Figure, medians, p99 } from './figure.ts'
import { type SocketConnection, startTemporaryPostgres } from './temporaryPostgres.ts'

const wallets = 100_000
const shape: Shape = { name: '10,000 transfers a block', logs: 10_000, contracts: 500 }

/** Measures a step at the head without wallets and with many, and the memory of these wallets. */
export const followedWallets: Figure = {
  name: 'followed-wallets',
  title: 'A step at the head, 10,000 transfers a block, with 0 and with 100,000 followed wallets',
  async run() {
    const postgres = await startTemporaryPostgres()
    let chain = 1n
    const rows = await medians(rounds, async () => {
      const steps = (followed: number, reads: boolean) =>
        timeSteps(postgres.connection, chain++, shape, { discover: false, wallets: followed, reads })
      const middle = (times: readonly number[]) => times[times.length >> 1]!
      const before = middle(await steps(0, true))
      const many = await steps(wallets, true)
      const after = middle(many)
      const applied = middle(await steps(wallets, false)) / middle(await steps(0, false))
      return [
        { what: 'no wallet, median', value: before, unit: 'ms' },
        { what: '100,000 wallets, one transfer in 150 of them, median', value: after, unit: 'ms' },
        { what: 'the same, 99th percentile', value: p99(many), unit: 'ms' },
        { what: 'with wallets, as a multiple of without', value: after / before, unit: '×', goal: { atMost: 1.2 } },
        { what: 'the same for a step that does not parse an answer', value: applied, unit: '×' },
      ]
    })
    const held = await heldByWallets(postgres.connection, chain)
    await postgres.stop()
    return [...rows, { what: 'memory of 100,000 wallets', value: held, unit: 'MB', goal: { atMost: 60 } }]
  },
}

/** Returns the megabytes that the followed wallets of a chain take in a process. */
async function heldByWallets(connection: SocketConnection, chainId: bigint): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const db = createDatabase({ connection, poolSize: 1, log: noopLog })
  await migrate(db, noopLog)
  await addWallets(db, chainId, wallets)
  const used = () => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return (heapUsed + external) / 1_048_576
  }
  const before = used()
  const live = new LiveWallets()
  for (const { holder, partition, id } of await readLiveWallets(db, chainId)) live.set(holder, { partition, id })
  const held = used() - before
  if (live.size !== wallets) throw new Error(`${live.size} wallets were loaded`)
  await db.close()
  return held
}
