import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import type { OpenChain, OpenChains } from '../../sync/openChains.ts'
import type { Address } from '../../util/hex.ts'
import { noopLog } from '../../util/log.ts'
import { createWaker } from '../../util/wait.ts'
import type { Origins } from './fetchMetadata.ts'
import { readContracts } from './readContracts.ts'

const addressOf = (n: number): Address => `0x${String(n).padStart(40, '0')}`
const partitions = Array.from({ length: 256 }, (_, i) => BigInt(i))

type Case = {
  /** Hosts that never answer: the first ones. */
  hanging?: number
  attempted?: number
  /** The URIs, instead of one per host. */
  hosts?: string[]
  body?: string
}

/** Requests metadata of contracts, longest waiting first, and reads it. */
async function start(count: number, { hanging = 0, attempted = 0, body = '{"name":"A"}', ...given }: Case) {
  const { db, drop } = await createTestDatabase()
  for (let n = 0; n < count; n++) {
    const { partition, id } = await seedCollection(db, { address: addressOf(n), tokens: [] })
    await db.run(
      `INSERT INTO contract_metadata (partition, collection_id, chain_id, due_at, attempts, description)
       VALUES ($1, $2, 1, now() - make_interval(secs => $3), $4, 'former')`,
      [partition, id, count - n, n < attempted ? 1 : 0],
    )
  }
  const hosts = given.hosts ?? Array.from({ length: count }, (_, n) => `https://${n}.example/`)
  const requested: string[] = []
  const get = (url: string, { signal }: { signal: AbortSignal }) =>
    new Promise((resolve, reject) => {
      requested.push(url)
      signal.addEventListener('abort', () => reject(signal.reason))
      if (hosts.indexOf(url) >= hanging) resolve({ body: Buffer.from(body), contentType: 'application/json' })
    })
  const contracts = { contractUri: async (address: Address) => hosts[Number(address.slice(2))] }
  const stopping = new AbortController()
  const reading = readContracts({
    chains: { open: async () => ({ contracts }) as unknown as OpenChain } as unknown as OpenChains,
    leases: { served: () => ({ chains: [1n], partitions, lent: new Map() }) } as unknown as Leases,
    origins: { http: { pausedMs: () => 0, get } } as unknown as Origins,
    ...{ db, settings: { retryDelaysMs: [60_000] }, log: noopLog, waker: createWaker(), signal: stopping.signal },
  })
  onTestFinished(async () => {
    stopping.abort()
    await reading
    await drop()
  })
  return {
    ...{ hosts, requested },
    readRows: () =>
      db.rows('SELECT description, due_at IS NOT NULL, attempts FROM contract_metadata WHERE tried_at IS NOT NULL'),
    readNames: async () => (await db.rows('SELECT 1 FROM contract_metadata WHERE name IS NOT NULL')).length,
  }
}

test('behavior: contracts whose hosts hang delay no others', async () => {
  const { readNames } = await start(60, { hanging: 20 })
  await expect.poll(readNames).toBe(40)
})

test('behavior: contracts that failed before are read after those that were never read', async () => {
  const { hosts, requested } = await start(60, { hanging: 60, attempted: 40 })
  await expect.poll(() => requested).toHaveLength(32)
  expect(requested).toEqual(expect.arrayContaining(hosts.slice(40)))
})

test.each([
  ['a placeholder image of a host', 'https://host.example/', ['former', true, 1]],
  ['an image in the URI', 'data:image/svg+xml,<svg/>', [null, false, 0]],
  ['a scheme that is not allowed', 'myapp://x', [null, false, 0]],
  ['a contract without a URI', '', [null, false, 0]],
])('behavior: only a host can have metadata later: %s', async (_, uri, row) => {
  const { readRows } = await start(1, { hosts: [uri], body: '<svg xmlns="http://www.w3.org/2000/svg"/>' })
  await expect.poll(readRows).toHaveLength(1)
  expect(await readRows()).toEqual([row])
})
