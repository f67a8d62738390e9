import { expect, onTestFinished, test, vi } from 'vitest'
import { runCommand } from '../../test/commandLine.ts'
import { createTestDatabase } from '../../test/database.ts'
import { patience } from '../../test/patience.ts'
import { seedCollection } from '../../test/seedCollection.ts'
import { knownChains } from '../chain/evm/chains.ts'
import type { Database } from '../db/database.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { writeChainNames } from '../sync/chainNames.ts'
import { createLeases } from '../sync/leases/lease.ts'
import { noopLog } from '../util/log.ts'
import { faultOf, readChainOverview } from './chainOverview.ts'
import { watchChains } from './watchChains.ts'

test('behavior: a needed chain that no live process is configured for has an error until such a process starts', async () => {
  const t = await createTestDatabase()
  onTestFinished(() => t.drop())
  await seedCollection(t.db, { address: `0x${'a'.repeat(40)}` })
  const common = { db: t.db, log: noopLog, onChange: () => {} }
  const other = await createLeases({ ...common, keys: { chain: [137n] } })
  // The lease of a dead process, which no other process can take.
  await t.db.run(`INSERT INTO worker (host, pid, heartbeat_at) VALUES ('gone', 1, now() - interval '1 minute')`)
  await t.db.run(`INSERT INTO lease (kind, key, worker_id) SELECT 'chain', 1, id FROM worker WHERE host = 'gone'`)
  const faults = async () =>
    Object.fromEntries((await readChainOverview(t.db, [])).map((chain) => [String(chain.id), faultOf(chain)]))
  expect(await faults()).toEqual({ 1: expect.stringContaining('no running process follows it'), 137: null })

  const metrics = createMetrics()
  const chains = knownChains.map((chain) => ({ ...chain, name: chain.names[0], configured: false }))
  const stop = new AbortController()
  const watching = watchChains({ db: t.db, chains, metrics, log: noopLog, signal: stop.signal })
  await vi.waitFor(async () => {
    const { values } = await metrics.chainUnheld.get()
    expect(values.map(({ labels, value }) => [labels.chain, value])).toEqual([
      ['eth', 1],
      ['polygon', 0],
    ])
  }, patience)
  stop.abort()
  await watching

  const able = await createLeases({ ...common, keys: { chain: [1n] } })
  expect(await faults()).toEqual({ 1: null, 137: null })
  await able.close()
  await other.close()
})

test('behavior: a chain whose nodes never responded has an error, and its head age counts from when it was needed', async () => {
  const t = await createTestDatabase()
  onTestFinished(() => t.drop())
  await seedCollection(t.db, { address: `0x${'b'.repeat(40)}`, columns: { status: 'failed' } })
  await t.db.run('DELETE FROM chain')
  const leases = await createLeases({ db: t.db, log: noopLog, onChange: () => {}, keys: { chain: [1n] } })
  const [chain] = await readChainOverview(t.db, [])
  expect(faultOf(chain!)).toContain('no node of this chain has given a usable response yet')
  expect(await headAges(t.db)).toEqual({ eth: 0 })
  await leases.close()
})

test('behavior: a head confirmed while its age is read is 0 s old, not -1', async () => {
  const t = await createTestDatabase()
  onTestFinished(() => t.drop())
  await seedCollection(t.db, { address: `0x${'a'.repeat(40)}` })
  await t.db.run(`UPDATE chain SET confirmed_at = now() + interval '30 seconds'`)
  const status = await runCommand(['status', '--json', '--database-url', t.url])
  expect(JSON.parse(status.out).chains).toMatchObject([{ headAgeSeconds: 0 }])
})

test('behavior: status shows a chain configured on a server, even if its nodes never responded', async () => {
  const t = await createTestDatabase()
  onTestFinished(() => t.drop())
  await writeChainNames(t.db, [{ id: 0x7a69n, names: ['local'] }])
  const status = async () => {
    const { out, err } = await runCommand(['status', '--json', '--database-url', t.url])
    expect(err).toBe('')
    return JSON.parse(out).chains
  }
  const unseen = { chain: 'local', block: null, head: null, headAgeSeconds: null }
  expect(await status()).toMatchObject([{ ...unseen, failure: null }])
  // The list omits a built-in chain that no configuration contains, even if its lease is held.
  const leases = await createLeases({ db: t.db, log: noopLog, onChange: () => {}, keys: { chain: [1n, 0x7a69n] } })
  expect(await status()).toMatchObject([
    { ...unseen, failure: expect.stringContaining('no node of this chain has given a usable response yet') },
  ])
  const { out } = await runCommand(['status', '--database-url', t.url])
  expect(out).toMatch(/^local +- +- +- +- +no node of this chain has given a usable response yet/m)
  await leases.close()
  expect((await runCommand(['status', '--database-url', t.url])).out).toMatch(
    /^local +- +- +- +- +no node was queried yet$/m,
  )
})

test('behavior: a chain removed from the configuration reports that as its error until a reset deletes it', async () => {
  const t = await createTestDatabase()
  onTestFinished(() => t.drop())
  const { partition, id } = await seedCollection(t.db, { address: `0x${'d'.repeat(40)}` })
  await t.db.run('UPDATE chain SET id = 31337')
  await t.db.run('DELETE FROM collection WHERE partition = $1 AND id = $2', [partition, id])
  await writeChainNames(t.db, [{ id: 31337n, names: ['local'] }])
  const leases = await createLeases({ db: t.db, log: noopLog, onChange: () => {}, keys: { chain: [1n] } })
  const mintmark = (...args: string[]) => runCommand([...args, '--database-url', t.url])
  expect((await mintmark('status')).out).toMatch(
    /^local .* no running process is configured for it: add it to the configuration, or remove its data with "mintmark chains reset"$/m,
  )
  expect(await mintmark('chains', 'reset', 'local', '--yes')).toMatchObject({ code: 0, err: '' })
  expect((await mintmark('status')).out).not.toContain('local')
  expect((await mintmark('chains', 'list')).out).not.toContain('local')
  await leases.close()
})

test('behavior: a removed chain can be reset while only a wallet, a stream or its name is left, and then is not listed', async () => {
  const t = await createTestDatabase()
  onTestFinished(() => t.drop())
  await writeChainNames(t.db, [{ id: 31337n, names: ['local'] }])
  const leases = await createLeases({ db: t.db, log: noopLog, onChange: () => {}, keys: { chain: [1n] } })
  const mintmark = (...args: string[]) => runCommand([...args, '--database-url', t.url])
  const reset = async () => {
    const { code, out, err } = await mintmark('chains', 'reset', 'local', '--yes')
    return code === 0 ? out : err
  }
  const left = (what: string) => `local is reset: ${what} start again at its first block\n`
  await t.db.run(`INSERT INTO wallet (partition, chain_id, address, requested_by) VALUES (1, 31337, '\\x77', 0)`)
  expect(await reset()).toBe(left('0 collections, 1 wallet and 0 streams'))
  await t.db.run('DELETE FROM wallet')
  await t.db.run(
    `INSERT INTO stream_chain (partition, stream_id, chain_id, state, from_block, next_block)
     VALUES (1, '00000000-0000-4000-8000-000000000001', 31337, 'history', 0, 0)`,
  )
  expect(await reset()).toBe(left('0 collections, 0 wallets and 1 stream'))
  await t.db.run('DELETE FROM stream_chain')
  expect((await mintmark('chains', 'list')).out).toContain('local')
  expect((await mintmark('chains', 'pause', 'local')).code).toBe(0)
  expect(await reset()).toContain('there is no data of local to reset')
  expect((await mintmark('chains', 'resume', 'local')).code).toBe(0)
  expect(await reset()).toBe('local is reset: it has no collections, wallets and streams\n')
  expect((await mintmark('chains', 'list')).out).not.toContain('local')
  expect(await reset()).toContain('there is no chain "local"')
  await leases.close()
})

test('behavior: a chain whose collections are all queued or failed needs no head, and the head age is no error', async () => {
  const t = await createTestDatabase()
  onTestFinished(() => t.drop())
  const { partition, id } = await seedCollection(t.db, {
    address: `0x${'c'.repeat(40)}`,
    columns: { status: 'failed' },
  })
  await t.db.run(`UPDATE chain SET confirmed_at = now() - interval '1 hour', max_head_age_ms = 60000`)
  const leases = await createLeases({ db: t.db, log: noopLog, onChange: () => {}, keys: { chain: [1n] } })
  const fault = async () => faultOf((await readChainOverview(t.db, []))[0]!)
  expect(await fault()).toBeNull()
  expect(await headAges(t.db)).toEqual({})
  await t.db.run(`UPDATE collection SET status = 'live' WHERE partition = $1 AND id = $2`, [partition, id])
  expect(await fault()).toContain('no node has confirmed the head')
  expect(await headAges(t.db)).toEqual({ eth: 3_600 })
  await leases.close()
})

/** Returns the ages of the heads in seconds that one check of the chains publishes. */
async function headAges(db: Database): Promise<Record<string, number>> {
  const metrics = createMetrics()
  const chains = knownChains.map((chain) => ({ ...chain, name: chain.names[0], configured: false }))
  const stop = new AbortController()
  const watching = watchChains({ db, chains, metrics, log: noopLog, signal: stop.signal })
  await vi.waitFor(async () => expect((await metrics.chainUnheld.get()).values).not.toEqual([]), patience)
  stop.abort()
  await watching
  const { values } = await metrics.headAge.get()
  return Object.fromEntries(values.map(({ labels, value }) => [labels.chain, Math.floor(value / 60) * 60]))
}
