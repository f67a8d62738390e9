import { expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { cancelWith } from './cancelWith.ts'

test('behavior: the signal cancels the running statement, and no statement after it', async () => {
  const { db, drop } = await createTestDatabase()
  try {
    const stopping = new AbortController()
    const { signal } = stopping
    const sleeping = db.transaction((tx) =>
      cancelWith({ db, tx, signal }, async () => {
        const asleep = tx.rows('SELECT pg_sleep(600)')
        stopping.abort()
        await asleep
      }),
    )
    await expect(sleeping).rejects.toMatchObject({ code: '57014' })
    await expect(db.transaction((tx) => cancelWith({ db, tx, signal }, async () => 1))).rejects.toBe(signal.reason)
    const going = new AbortController()
    const { signal: later } = going
    expect(await db.transaction((tx) => cancelWith({ db, tx, signal: later }, () => tx.rows('SELECT 1')))).toEqual([
      [1],
    ])
    going.abort()
    expect(await db.rows('SELECT 2')).toEqual([[2]])
  } finally {
    await drop()
  }
})
