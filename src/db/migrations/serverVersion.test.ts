import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { checkServerVersion } from './serverVersion.ts'

test('default: accepts the version of the built-in server', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  await checkServerVersion(db)
})

test('error: rejects an older server with its version and the fix', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  await expect(checkServerVersion(db, 99)).rejects.toMatchObject({
    code: 'SERVER_VERSION',
    message: expect.stringMatching(
      /^the database is PostgreSQL \d+\.\d+.*, and Mintmark needs 99 or newer: upgrade it, or omit databaseUrl/,
    ),
  })
})
