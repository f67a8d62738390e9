import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { storageFault } from '../../util/faults/storageFault.ts'
import { probeStorage } from './probeStorage.ts'

test('behavior: a database is read-only as soon and as long as it is for new sessions, whatever the pool has', async () => {
  const { db, connection, drop } = await createTestDatabase()
  onTestFinished(drop)
  const reason = () =>
    probeStorage(db).then(
      () => undefined,
      (error: unknown) => storageFault(error)?.reason,
    )
  expect(await reason()).toBeUndefined()
  await db.run(`ALTER DATABASE ${connection.database} SET default_transaction_read_only = on`)
  expect(await reason()).toBe('the database is read-only')
  await db.run(`ALTER DATABASE ${connection.database} RESET default_transaction_read_only`)
  expect(await reason()).toBeUndefined()
})
