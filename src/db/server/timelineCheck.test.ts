import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startReplicated } from '../../../test/startReplicated.ts'
import { noopLog } from '../../util/log.ts'
import { createDatabase } from '../database.ts'
import { createTimelineCheck } from './timelineCheck.ts'

test('error: rejects connections to a promoted standby, and reports this once', async () => {
  const { primary, replica } = await startReplicated()
  const reported = vi.fn()
  const { check } = createTimelineCheck(reported)
  const connect = async (connection: pg.ClientConfig) => {
    const client = new pg.Client(connection)
    await client.connect()
    onTestFinished(() => client.end())
    return client
  }
  for (let i = 0; i < 2; i++) await check(await connect(primary.connection))
  // A read-only server does not return its timeline.
  await check(await connect(replica.connection))
  await replica.untilReplayed()
  await replica.promote()
  const db = createDatabase({ connection: replica.connection, poolSize: 2, log: noopLog, check })
  onTestFinished(db.close)
  for (let i = 0; i < 2; i++) await expect(db.rows('SELECT 1')).rejects.toMatchObject({ code: 'OTHER_TIMELINE' })
  expect(reported).toHaveBeenCalledOnce()
  await check(await connect(primary.connection))
})

test('error: rejects another server at the same address as another timeline', async () => {
  const { check } = createTimelineCheck(() => undefined)
  const leadingTo = (timeline: string) => ({ query: async () => ({ rows: [[timeline]] }) }) as unknown as pg.Client
  await check(leadingTo('7 00000001'))
  await expect(check(leadingTo('8 00000001'))).rejects.toThrow('not the one of the start')
})

test('behavior: a server that denies this user the timeline is queried only once', async () => {
  const reported = vi.fn()
  const { check } = createTimelineCheck(reported)
  const rejection = Object.assign(
    new pg.DatabaseError('permission denied for function pg_control_system', 0, 'error'),
    {
      code: '42501',
    },
  )
  const query = vi.fn(() => Promise.reject(rejection))
  for (let i = 0; i < 3; i++) await check({ query } as unknown as pg.Client)
  expect(query).toHaveBeenCalledOnce()
  expect(reported).not.toHaveBeenCalled()
})
