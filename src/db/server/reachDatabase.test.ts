import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, inject, onTestFinished, test } from 'vitest'
import { patienceMs } from '../../../test/patience.ts'
import { serverOf } from '../../../test/transactionPooler.ts'
import { noopLog } from '../../util/log.ts'
import { createDatabase } from '../database.ts'
import { DatabaseUnavailableError } from '../databaseError.ts'
import { type ReachOptions, reachDatabase } from './reachDatabase.ts'

const { connection } = inject('postgres')

/** A server that rejects its first connections with this SQLSTATE, and then behaves like PostgreSQL. Source: PostgreSQL, Message Formats. */
async function startRejecting(times: number, state: string, detail = '') {
  const output = detail && `D${detail}\0`
  const fields = `SFATAL\0VFATAL\0C${state}\0Mthe database system is starting up\0${output}\0`
  const rejection = Buffer.alloc(5 + fields.length)
  rejection.write('E')
  rejection.writeInt32BE(4 + fields.length, 1)
  rejection.write(fields, 5)
  const open = new Set<Socket>()
  let requested = 0
  const server = createServer((client) => {
    open.add(client.on('error', () => undefined))
    if (requested++ < times) return void client.once('data', () => client.end(rejection))
    const upstream = connect(serverOf(connection))
    open.add(upstream.on('error', () => undefined))
    client.pipe(upstream).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const at = { ...connection, host: '127.0.0.1', port, database: 'postgres' }
  const db = createDatabase({ connection: at, poolSize: 1, log: noopLog })
  onTestFinished(async () => {
    await db.close()
    for (const socket of open) socket.destroy()
    server.close()
  })
  return {
    reach: (options?: ReachOptions) => reachDatabase(db, at, options),
    place: `127.0.0.1:${port}`,
    requested: () => requested,
  }
}

const startingMs = patienceMs

test('behavior: a start waits for a database that is starting up, until the start is aborted', async () => {
  const server = await startRejecting(3, '57P03')
  await server.reach({ startingMs })
  expect(server.requested()).toBe(4)

  const never = await startRejecting(Number.POSITIVE_INFINITY, '57P03')
  await expect(never.reach()).rejects.toBeInstanceOf(DatabaseUnavailableError)
  expect(never.requested()).toBe(1)
  const stopping = new AbortController()
  const waiting = never.reach({ startingMs, signal: stopping.signal })
  await expect.poll(never.requested).toBeGreaterThan(2)
  stopping.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'ABORT_ERR' })
})

test.each([
  ['53300', ''],
  ['57P03', 'Hot standby mode is disabled.'],
])(
  'error: a database that rejects for another reason is reported immediately, with its address: %s %s',
  async (code, detail) => {
    const server = await startRejecting(1, code, detail)
    const error = await server.reach({ startingMs }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(DatabaseUnavailableError)
    expect(error).toMatchObject({ message: `the database at ${server.place} cannot be reached`, cause: { code } })
    expect(server.requested()).toBe(1)
  },
)
