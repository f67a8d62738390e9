import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { checkServerVersion } from './serverVersion.ts'

test('default: the built-in server is new enough', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  await checkServerVersion(db)
})

test('error: an older server is named with its version, and what to do', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  await expect(checkServerVersion(db, 99)).rejects.toMatchObject({
    code: 'SERVER_VERSION',
    message: expect.stringMatching(
      /^the database is PostgreSQL \d+\.\d+.*, and Mintmark needs 99 or newer: upgrade it, or omit databaseUrl/,
    ),
  })
})
