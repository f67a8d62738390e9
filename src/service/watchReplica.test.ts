// @module-tag system

import { expect, test } from 'vitest'
import { type Replica, startReplicated } from '../../test/startReplicated.ts'
import type { Sql } from '../db/database.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { createLog } from '../util/log.ts'
import { beat, describeProcess } from './processes/processStore.ts'
import { createReplicaWatch } from './watchReplica.ts'

type Line = { level: string; event: string; [field: string]: unknown }

/** A watch of a replica, and its log lines. */
function watching(primary: Sql, replica: Sql) {
  const lines: Line[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const log = createLog({ level: 'info', mask: (text) => text, destination })
  const own = describeProcess({ role: 'api', version: '1.0.0' })
  const metrics = createMetrics()
  const watch = createReplicaWatch({ primary, replica, own: own.id, host: 'replica:5432', metrics, log })
  return { watch, own, lines, metrics }
}

async function caughtUp(replica: Replica, look: () => Promise<void>): Promise<void> {
  await replica.untilReplayed()
  await look()
}

test('default: unreplayed writes of the primary count as lag, however long the primary was idle before', async () => {
  const { primary, replica } = await startReplicated()
  const { watch, own, lines, metrics } = watching(primary.db, replica.db)
  await beat(primary.db, own)
  await caughtUp(replica, watch.look)
  expect(watch.status()).toMatchObject({ status: 'following', lagMs: 0, isPaused: false })
  await caughtUp(replica, watch.look)
  expect(watch.isProven()).toBe(true)

  await replica.pause()
  await beat(primary.db, own)
  await watch.look()
  const first = watch.status()
  expect(first).toMatchObject({ status: 'following', isPaused: true })
  await beat(primary.db, own)
  await watch.look()
  const second = watch.status()
  if (first.status !== 'following' || second.status !== 'following') throw new Error('it follows')
  expect(first.lagBytes).toBeGreaterThan(0)
  expect(second.lagBytes).toBeGreaterThan(first.lagBytes)
  // The lag is less than the duration of this test, although the replica's last commit may be much older.
  expect(first.lagMs).toBeLessThan(second.lagMs)
  const { values } = await metrics.replicaLagBytes.get()
  expect(values).toEqual([{ labels: { replica: 'replica:5432' }, value: second.lagBytes }])

  await replica.resume()
  await caughtUp(replica, watch.look)
  expect(watch.status()).toMatchObject({ status: 'following', lagMs: 0, isPaused: false })
  expect(lines).toEqual([])
})

test('error: rejects a replica of a copy of the primary, which only its rows distinguish', async () => {
  const [ours, theirs] = [await startReplicated(), await startReplicated()]
  // The other primary wrote less, so that its replica seems to lag.
  for (let row = 0; row < 50; row++)
    await ours.primary.db.run(`INSERT INTO process (id, role, version, host, pid, started_at)
      VALUES (gen_random_uuid(), 'api', repeat('x', 1000), 'h', 1, now())`)
  const { watch, own, lines } = watching(ours.primary.db, theirs.replica.db)
  await beat(ours.primary.db, own)
  await watch.look()
  expect(watch.status()).toMatchObject({ status: 'following' })
  expect(watch.isProven()).toBe(false)
  for (let row = 0; row < 200; row++)
    await theirs.primary.db.run(`INSERT INTO process (id, role, version, host, pid, started_at)
      VALUES (gen_random_uuid(), 'api', repeat('x', 1000), 'h', 1, now())`)
  await caughtUp(theirs.replica, watch.look)
  expect(watch.status()).toEqual({ status: 'refused', reason: expect.stringContaining('follows another server') })
  expect(lines.map(({ level, event }) => `${level} ${event}`)).toEqual(['warn read replica rejected'])
})

test('behavior: an unreachable replica is reported once, and its recovery once', async () => {
  const { primary, replica } = await startReplicated()
  const { watch, own, lines } = watching(primary.db, replica.db)
  await beat(primary.db, own)
  await watch.look()
  await replica.stop()
  for (let time = 0; time < 2; time++) await watch.look()
  expect(watch.status()).toEqual({ status: 'away', reason: 'cannot be reached' })
  await replica.start()
  for (let time = 0; time < 2; time++) await watch.look()
  expect(watch.status()).toMatchObject({ status: 'following' })
  expect(lines.map(({ level, event }) => `${level} ${event}`)).toEqual([
    'warn read replica unreachable',
    'info read replica recovered',
  ])
})

test('behavior: a replica promoted to a primary is rejected even while the former primary is unreachable', async () => {
  const { primary, replica } = await startReplicated()
  let isUnreachable = false
  const former: Sql = {
    ...primary.db,
    rows: (text, values) =>
      isUnreachable
        ? Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
        : primary.db.rows(text, values),
  }
  const { watch } = watching(former, replica.db)
  await watch.look()
  isUnreachable = true
  await expect(watch.look()).rejects.toThrow('refused')
  expect(watch.status()).toMatchObject({ status: 'following' })
  await replica.promote()
  await expect(watch.look()).rejects.toThrow('refused')
  expect(watch.status()).toEqual({ status: 'refused', reason: expect.stringContaining('is not a replica') })
})

test('behavior: the clock lag of a replica is measured, and reported where it is large', async () => {
  const { primary, replica } = await startReplicated()
  const behind: Sql = {
    ...replica.db,
    rows: (text, values) =>
      replica.db.rows(text.replace('clock_timestamp()', `clock_timestamp() - interval '40 s'`), values),
  }
  const { watch, lines } = watching(primary.db, behind)
  await watch.look()
  expect(watch.clockBehindMs()).toBeGreaterThan(35_000)
  expect(watch.clockBehindMs()).toBeLessThan(45_000)
  await watch.look()
  expect(lines.map(({ event }) => event)).toEqual(['read replica clock is behind the primary'])
})
