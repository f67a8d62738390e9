// @module-tag system

import { expect, onTestFinished, test } from 'vitest'
import { patience } from '../../../test/patience.ts'
import { startReplicated } from '../../../test/startReplicated.ts'
import { noopLog } from '../../util/log.ts'
import { createDatabase } from '../database.ts'
import { inSnapshot } from '../inSnapshot.ts'
import { createPipeline } from '../pipeline/pipeline.ts'
import { createReplicaReads } from './createReplicaReads.ts'
import { isConflict } from './reread.ts'

test('behavior: a statement cancelled by replay is retried, and so are those behind it on its connection', async () => {
  const { primary, replica } = await startReplicated()
  await primary.db.run('CREATE TABLE held (id integer)')
  let conflicts = 0
  const onError = (error: unknown) => void (isConflict(error) && conflicts++)
  const shared = { connection: replica.connection, log: noopLog, onError }
  const db = createDatabase({ ...shared, poolSize: 2 })
  const reader = createPipeline({ ...shared, connections: 1, queueTimeoutMs: 60_000 })
  onTestFinished(() => Promise.all([db.close(), reader.close()]).then(() => undefined))
  const reads = createReplicaReads({ source: { db, reader, lookups: reader }, rejection: () => undefined })
  // The statement holds the table as long as the table has a row.
  const hold = 'SELECT CASE WHEN (SELECT count(*) FROM held) > 0 THEN pg_sleep(120)::text ELSE $1 END'
  const holding = `SELECT count(*)::int FROM pg_stat_activity WHERE query LIKE 'SELECT CASE WHEN (SELECT count%' AND state = 'active'`
  for (const read of [
    () => reads.reader.rows(hold, ['done']),
    () => reads.db.rows(hold, ['done']),
    () => inSnapshot(reads.db, (tx) => tx.rows(hold, ['done'])),
    async () => (await reads.reader.bytes(hold, ['done'])).map(([text]) => [text!.toString()]),
  ]) {
    await primary.db.run('INSERT INTO held VALUES (1)')
    await replica.untilReplayed()
    const before = conflicts
    const held = read()
    await expect.poll(async () => (await replica.db.rows(holding))[0]![0], patience).toBe(1)
    const behind = reads.reader.rows('SELECT 7')
    await primary.db.run('TRUNCATE held')
    expect(await held).toEqual([['done']])
    expect(await behind).toEqual([[7]])
    expect(conflicts).toBeGreaterThan(before)
  }
})

test('error: a statement that replay keeps cancelling is unavailable, and other errors are passed on', async () => {
  const { replica } = await startReplicated()
  const { db } = replica
  const canceled = Object.assign(await db.rows('SELECT 1/0').catch((error: Error) => error), { code: '40001' })
  const reader = { ...db, bytes: () => Promise.reject(canceled) } as never
  const reads = createReplicaReads({ source: { db, reader, lookups: reader }, rejection: () => undefined })
  await expect(reads.reader.bytes('')).rejects.toMatchObject({ code: 'UNAVAILABLE', outage: 'replica' })
  await expect(reads.db.rows('SELECT 1/0')).rejects.toMatchObject({ code: '22012' })
})
