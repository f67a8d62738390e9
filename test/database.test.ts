import pg from 'pg'
import { expect, test } from 'vitest'
import { migrations } from '../src/db/migrations/index.ts'
import { createTestDatabase } from './database.ts'

test('default', async () => {
  const one = await createTestDatabase()
  const [row] = await one.db.rows<[bigint]>('SELECT count(*) FROM migration')
  expect(row![0]).toBe(BigInt(migrations.length))
  const client = new pg.Client(one.url)
  await client.connect()
  expect((await client.query('select current_database() as d')).rows[0].d).toBe(one.connection.database)
  await client.end()
  await one.drop()
})
