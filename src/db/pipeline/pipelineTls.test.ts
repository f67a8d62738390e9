import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { certificates } from '../../../test/certificates.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { startTlsServer } from '../../../test/startTlsServer.ts'
import { noopLog } from '../../util/log.ts'
import { createPipeline } from './pipeline.ts'

let t: TestDatabase
beforeAll(async () => {
  t = await createTestDatabase({ migrated: false })
})
afterAll(() => t.drop())

test.each([
  ['without TLS', false],
  ['with TLS', true],
])('behavior: rows of every size arrive as bytes and as values, %s', async (_, ssl) => {
  const server = await startTlsServer(t.connection)
  const pipeline = createPipeline({
    connection: ssl
      ? { ...t.connection, host: '127.0.0.1', port: server.port, ssl: { ca: certificates.good } }
      : t.connection,
    connections: 2,
    queueTimeoutMs: 10_000,
    log: noopLog,
  })
  onTestFinished(() => pipeline.close())
  const sizes = [0, 1, 4_000, 66_000, 131_072, 400_000, 3_000_000]
  const rounds = Array.from({ length: 4 }, () => sizes).flat()
  await Promise.all(
    rounds.map(async (size, i) => {
      const letter = String.fromCharCode(97 + (i % 26))
      const [row] = await pipeline.bytes('SELECT repeat($1, $2), NULL::text, $1', [letter, size])
      expect(row![0]!.equals(Buffer.alloc(size, letter))).toBe(true)
      expect(row!.slice(1)).toEqual([null, Buffer.from(letter)])
      pipeline.giveBack(row!)
      const [values] = await pipeline.rows<[string, bigint]>('SELECT repeat($1, $2), $2::int8', [letter, size])
      expect(values).toEqual([letter.repeat(size), BigInt(size)])
    }),
  )
  expect(server.encrypted() > 0).toBe(ssl)
})
