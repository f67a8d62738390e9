import { afterEach, expect, test, vi } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import type { Database } from '../../db/database.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import { noopLog } from '../../util/log.ts'
import { watchStreams } from './watchStreams.ts'
import { webhookSettings } from './webhookSettings.ts'

afterEach(() => void vi.useRealTimers())

const stopsFull = 'sum(matched - dropped)'
const checksLedger = 'FROM webhook_queue'

/**
 * How often the statements of a watch with this text run in two minutes, if each takes `ms` on a clock that stands
 * still otherwise.
 */
async function runsIn2Minutes(text: string, ms: number): Promise<number> {
  const { db, drop } = await createTestDatabase()
  const stop = new AbortController()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  let runs = 0
  let running = 0
  async function counted<T>(result: Promise<T>): Promise<T> {
    running++
    try {
      return await result
    } finally {
      running--
    }
  }
  const slow: Database = {
    ...db,
    rows(sql, values) {
      if (sql.includes(text)) {
        runs++
        vi.advanceTimersByTime(ms)
      }
      return counted(db.rows(sql, values))
    },
    run: (sql, values) => counted(db.run(sql, values)),
    transaction: (work, settings) => counted(db.transaction(work, settings)),
  }
  const { done } = watchStreams({
    db: slow,
    leases: { held: () => new Set([1n]) },
    log: noopLog,
    metrics: createMetrics(),
    clock: Date.now,
    settings: webhookSettings.parse({}),
    signal: stop.signal,
  })
  for (let second = 0; second < 120; second++) {
    await vi.advanceTimersByTimeAsync(1_000)
    do await db.rows('SELECT 1')
    while (running > 0)
  }
  stop.abort()
  await done
  await drop()
  return runs
}

test('default: sums of the ledger are checked every five seconds, and full streams are stopped every second', async () => {
  expect(await runsIn2Minutes(checksLedger, 0)).toBeGreaterThan(10)
  expect(await runsIn2Minutes(stopsFull, 0)).toBeGreaterThan(60)
})

test('behavior: a check of a long queue pauses fifty times as long as it takes', async () => {
  const runs = await runsIn2Minutes(checksLedger, 800)
  expect(runs).toBeGreaterThan(2)
  expect(runs).toBeLessThan(10)
})

test('behavior: a search for full streams among many pauses fifty times as long as it takes', async () => {
  expect(await runsIn2Minutes(stopsFull, 200)).toBeLessThan(25)
})
