// @module-tag system

import { existsSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { startSessionPooler } from '../../test/sessionPooler.ts'
import { system } from '../../test/system.ts'
import { temporaryFolder } from '../../test/temporaryFolder.ts'
import { serverOf } from '../../test/transactionPooler.ts'
import { loadConfig } from '../config/loadConfig.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { noopLog } from '../util/log.ts'
import { openDatabases } from './openDatabases.ts'

test(
  'default: background connections of the embedded database run niced, with the same application name as urgent ones',
  system,
  async () => {
    const undo: (() => Promise<void>)[] = []
    onTestFinished(async () => {
      for (const stop of undo.reverse()) await stop()
    })
    const config = await loadConfig({
      flags: { dataDir: await temporaryFolder() },
      env: {},
      cwd: await temporaryFolder(),
    })
    const { db, background } = await openDatabases({
      ...{ config, metrics: createMetrics(), log: noopLog, undo, onError: () => undefined },
    })
    const read = async (sql: typeof db) =>
      (await sql.rows<[number, string]>(`SELECT pg_backend_pid(), current_setting('application_name')`))[0]!
    const [urgent, later] = [await read(db), await read(background)]
    expect(getPriority(later[0]) - getPriority(urgent[0])).toBe(5)
    // Each backend is its own session, and Linux may group processes by session.
    if (existsSync('/proc/self/autogroup')) expect([urgent[0], later[0]].map(groupNiceness)).toEqual([0, 5])
    expect(later[1]).toBe(urgent[1])
  },
)

test('behavior: accepts a session pooler, and client statements keep their timeout behind it', async () => {
  const { connection, drop } = await createTestDatabase()
  const { port } = await startSessionPooler(serverOf(connection))
  const undo: (() => Promise<void>)[] = []
  onTestFinished(async () => {
    for (const stop of undo.reverse()) await stop()
    await drop()
  })
  const { user, password, database } = connection
  const databaseUrl = `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
  const config = await loadConfig({ flags: { databaseUrl }, env: {}, cwd: await temporaryFolder() })
  const { db, background, forClients, forPages } = await openDatabases({
    ...{ config, metrics: createMetrics(), log: noopLog, undo, onError: () => undefined },
  })
  const bounds = [db, background, forClients, forPages].map(
    async (sql) => (await sql.rows('SHOW statement_timeout'))[0],
  )
  expect(await Promise.all(bounds)).toEqual([['0'], ['0'], ['5s'], ['5s']])
})

function groupNiceness(pid: number): number {
  return Number(/nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'latin1'))![1])
}
