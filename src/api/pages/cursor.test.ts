import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { createCursors, readSecret } from './cursor.ts'

const cursors = createCursors({ secret: randomBytes(32) })
const rejected = expect.objectContaining({ code: 'BAD_REQUEST', details: { parameter: 'cursor' } })

test('default: reads back the signed payload', () => {
  const payload = ['0x1', null, 7, true]
  const cursor = cursors.sign('op', payload)
  expect(cursor).toMatch(/^[\w-]+$/)
  expect(cursors.read('op', cursor)).toEqual(payload)
})

test('error: rejects every change of a single character', () => {
  const cursor = cursors.sign('op', ['payload', 1])
  for (let i = 0; i < cursor.length; i++)
    for (const other of ['A', 'B', '_', '=', '+', ' ']) {
      if (cursor[i] === other) continue
      const altered = cursor.slice(0, i) + other + cursor.slice(i + 1)
      expect(() => cursors.read('op', altered), altered).toThrow(rejected)
    }
})

test('error: rejects a truncated, extended, padded or forged cursor', () => {
  const cursor = cursors.sign('op', ['payload', 1])
  for (const altered of [cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, ` ${cursor}`, 'null', 'é'])
    expect(() => cursors.read('op', altered), altered).toThrow(rejected)
  fc.assert(
    fc.property(fc.string(), (made) => {
      expect(() => cursors.read('op', made)).toThrow(rejected)
    }),
  )
})

test('error: rejects a cursor of another operation or of another server', () => {
  const cursor = cursors.sign('op', ['payload', 1])
  expect(() => cursors.read('other', cursor)).toThrow(rejected)
  expect(() => createCursors({ secret: randomBytes(32) }).read('op', cursor)).toThrow(rejected)
})

test('behavior: twenty servers that start concurrently agree on the secret', async () => {
  const { db, drop } = await createTestDatabase()
  const secrets = await Promise.all(Array.from({ length: 20 }, () => readSecret(db, 'cursor_secret')))
  expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(1)
  expect(secrets[0]).toHaveLength(32)
  await drop()
})
