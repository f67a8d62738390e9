// @module-tag system

import { expect, onTestFinished, test } from 'vitest'
import { databaseUrl } from '../../../test/database.ts'
import { startReplicated } from '../../../test/startReplicated.ts'
import { temporaryFolder } from '../../../test/temporaryFolder.ts'
import { serverOf, startTransactionPooler } from '../../../test/transactionPooler.ts'
import { noopLog } from '../../util/log.ts'
import { createDatabase } from '../database.ts'
import { startEmbeddedPostgres } from '../embedded/startEmbeddedPostgres.ts'
import { checkReplica } from './checkReplica.ts'

async function check(
  url: string,
  primary: Parameters<typeof checkReplica>[0]['primary'],
  waitMs = 300,
): Promise<unknown> {
  const connection = { connectionString: url }
  const replica = createDatabase({ connection, poolSize: 1, log: noopLog })
  try {
    await checkReplica({ primary, replica, connection, waitMs })
    return 'passes'
  } catch (error) {
    return error
  } finally {
    await replica.close()
  }
}

const rejected = (what: string) => ({ code: 'REPLICA', message: expect.stringContaining(what) })

test('error: rejects a URL that is not a streaming replica of the database and its tables, with the reason', async () => {
  const { primary, replica } = await startReplicated()
  const { db } = primary
  const at = (settings: Record<string, string>) => {
    const url = new URL(replica.url)
    for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value)
    return url.href
  }
  await replica.untilReplayed()
  expect(await check(replica.url, db)).toBe('passes')
  expect(await check(primary.url, db)).toMatchObject(rejected('is not a replica: it accepts writes'))

  const { connection, stop } = await startEmbeddedPostgres({ dataDir: await temporaryFolder(), log: noopLog })
  onTestFinished(stop)
  expect(await check(databaseUrl(connection), db)).toMatchObject(rejected('is of another PostgreSQL than the database'))

  await db.run('CREATE DATABASE beside')
  await db.run('CREATE ROLE stranger LOGIN')
  await replica.untilReplayed()
  expect(await check(replica.url.replace('/postgres?', '/beside?'), db)).toMatchObject(
    rejected('replicates this database, but its address specifies another database'),
  )
  expect(await check(at({ options: '-c search_path=nowhere' }), db)).toMatchObject(
    rejected('does not show this user the tables of databaseUrl: use the same user'),
  )
  // Replay grants no right, so the check does not wait for it.
  expect(await check(at({ user: 'stranger' }), db, Number.POSITIVE_INFINITY)).toMatchObject(
    rejected('does not let this user read the table'),
  )
  expect(await check(at({ user: 'nobody-of-this-name' }), db)).toMatchObject({
    code: 'REPLICA',
    message: expect.stringMatching(/^the read replica at .* cannot be reached$/),
    cause: { message: 'role "nobody-of-this-name" does not exist' },
  })
  expect(await check('postgres://postgres@127.0.0.1:1/postgres', db)).toMatchObject(
    rejected('the read replica at 127.0.0.1:1 cannot be reached'),
  )
  const pooler = await startTransactionPooler(serverOf(replica.connection), { serially: true })
  expect(await check(`postgres://postgres@127.0.0.1:${pooler.port}/postgres`, db)).toMatchObject({
    code: 'DATABASE_POOLED',
    message: expect.stringContaining('the address of the read replica leads to a pooler'),
  })
})

test('behavior: a start waits for the replica to replay its migrations, and rejects one that does not', async () => {
  const { primary, replica } = await startReplicated()
  await replica.untilReplayed()
  await replica.pause()
  await primary.db.run(`INSERT INTO migration (id, name, digest) VALUES (9999, 'newer', '')`)
  expect(await check(replica.url, primary.db)).toMatchObject(
    rejected(
      'has not replayed the tables that this program made: check that it replicates, and start again (it is at migration',
    ),
  )
  const waiting = check(replica.url, primary.db, 60_000)
  await replica.resume()
  expect(await waiting).toBe('passes')
})

test('error: rejects a read replica on a Citus cluster', async () => {
  const { primary, replica } = await startReplicated()
  const rows = async (text: string) => (text.includes('citus') ? [[true]] : primary.db.rows(text))
  expect(await check(replica.url, { ...primary.db, rows } as never)).toMatchObject(rejected('this one has Citus'))
})
