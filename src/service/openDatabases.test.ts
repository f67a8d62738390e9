import { getPriority } from 'node:os'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/temporaryFolder.ts'
import { loadConfig } from '../loadConfig.ts'
import { silentLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import { openDatabases } from './openDatabases.ts'

test('default: connections of background work of the embedded database are niced down, and of one name with those of urgent work', async () => {
  const undo: (() => Promise<void>)[] = []
  const config = await loadConfig({
    flags: { dataDir: await temporaryFolder() },
    env: {},
    cwd: await temporaryFolder(),
  })
  const { db, background } = await openDatabases({
    ...{ config, metrics: createMetrics(), log: silentLog, undo, onError: () => undefined },
  })
  const read = async (sql: typeof db) =>
    (await sql.rows<[number, string]>(`SELECT pg_backend_pid(), current_setting('application_name')`))[0]!
  const [urgent, later] = [await read(db), await read(background)]
  expect(getPriority(later[0]) - getPriority(urgent[0])).toBe(5)
  expect(later[1]).toBe(urgent[1])
  for (const stop of undo.reverse()) await stop()
})
