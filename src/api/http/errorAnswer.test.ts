import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { createDatabase } from '../../db/database.ts'
import { createPipeline } from '../../db/pipeline/pipeline.ts'
import { OtherTimelineError } from '../../db/server/timelineCheck.ts'
import { noopLog } from '../../util/log.ts'
import { errorAnswer } from './errorAnswer.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const slow = 'SELECT pg_sleep(30)'

test.each(['pool', 'pipeline'])(
  'error: a statement over the time limit of a %s returns 503 with what to do, in every format of errors',
  async (kind) => {
    const connection = { ...database.connection, statement_timeout: 50 }
    const db =
      kind === 'pool'
        ? createDatabase({ connection, poolSize: 1, log: noopLog })
        : createPipeline({ connection, connections: 1, queueTimeoutMs: 5_000, log: noopLog })
    try {
      const error: unknown = await db.rows(slow).catch((thrown: unknown) => thrown)
      const { status, headers, body } = errorAnswer(error)
      expect({ status, headers }).toMatchObject({ status: 503, headers: expect.arrayContaining(['retry-after', '2']) })
      const { message } = JSON.parse(String(body)) as { message: string }
      expect(message).toMatch(/^this request takes the database longer than the allowed time; request less/)
      const other = errorAnswer(error, (shown) => ({ error: { message: shown.message } }))
      expect(JSON.parse(String(other.body))).toEqual({ error: { message } })
    } finally {
      await db.close()
    }
  },
)

test('error: a request at a failover of the database returns 503, as this process exits', () => {
  const { status, headers } = errorAnswer(new OtherTimelineError('the database continued from an earlier state'))
  expect({ status, headers }).toMatchObject({ status: 503, headers: expect.arrayContaining(['retry-after', '2']) })
})
