import { Readable } from 'node:stream'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { onCluster } from '../../test/onCluster.ts'
import { isRowFault } from '../util/faults/inputFault.ts'
import { noopLog } from '../util/log.ts'
import { setEverywhere } from './cluster/citus.ts'
import { createDatabase } from './database.ts'
import {
  isConnectionError,
  isLockTimeout,
  isNodeUnreachable,
  isUniqueViolation,
  restated,
  sqlState,
} from './databaseError.ts'

/** Rows of several shards, which the coordinator of a cluster copies to the nodes. */
const insert = 'INSERT INTO refusing SELECT * FROM unnest($1::int2[], $2::integer[])'

test('behavior: an error that rejects a list of rows has the SQLSTATE of its cause, on a cluster too', async () => {
  const { connection, drop } = await createTestDatabase()
  onTestFinished(drop)
  const seen: unknown[] = []
  const onError = (error: unknown) => seen.push(sqlState(error))
  const db = createDatabase({ connection, poolSize: 4, log: noopLog, onError })
  onTestFinished(db.close)
  await db.run('CREATE TABLE refusing (partition int2, id integer NOT NULL CHECK (id <> 7), UNIQUE (partition, id))')
  if (onCluster) await db.rows(`SELECT create_distributed_table('refusing', 'partition')`)
  const rejected = (ids: (number | null)[]) =>
    db.run(insert, [[1, 2, 3], ids]).then(
      () => undefined,
      (error: unknown) => error,
    )
  expect(await rejected([4, 5, 6])).toBeUndefined()

  const [doubled, checked, missing] = [
    await rejected([8, 5, 9]),
    await rejected([8, 7, 9]),
    await rejected([8, null, 9]),
  ]
  expect([doubled, checked, missing].map(sqlState)).toEqual(['23505', '23514', '23502'])
  expect(seen).toEqual(['23505', '23514', '23502'])
  const copied = db.transaction((tx) => tx.copy('COPY refusing FROM STDIN', Readable.from(['1\t8\n2\t7\n3\t9\n'])))
  await expect(copied).rejects.toMatchObject({ code: '23514' })
  expect([isUniqueViolation(doubled), isRowFault(doubled), isRowFault(checked)]).toEqual([true, true, true])

  await db.transaction(async (tx) => {
    await tx.run('INSERT INTO refusing VALUES (2, 10)')
    const waiting = db.transaction(async (other) => {
      await setEverywhere(db, other, `SET LOCAL lock_timeout = '100ms'`)
      await other.run(insert, [
        [1, 2],
        [10, 10],
      ])
    })
    expect(isLockTimeout(await waiting.catch((error: unknown) => error))).toBe(true)
  })
})

test.each(['ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'])(
  'error: %s on an open connection means that it was lost',
  (code) => {
    expect(isConnectionError(Object.assign(new Error(`read ${code}`), { code, syscall: 'read' }))).toBe(true)
  },
)

test('behavior: a read-only node of a cluster is recognized by its message', () => {
  const error = new pg.DatabaseError('cannot execute INSERT in a read-only transaction', 0, 'error')
  expect(sqlState(restated(Object.assign(error, { code: 'XX000' })))).toBe('25006')
})

test.each([
  ['08006', true],
  ['08P01', false],
])('behavior: %s is of a node of a cluster: %s', (code, expected) => {
  const error = Object.assign(new pg.DatabaseError('server login has been failing', 0, 'error'), { code })
  expect([isConnectionError(error), isNodeUnreachable(error)]).toEqual([true, expected])
})
