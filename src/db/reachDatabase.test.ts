import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, inject, onTestFinished, test } from 'vitest'
import { serverOf } from '../../test/transactionPooler.ts'
import { silentLog } from '../log.ts'
import { createDatabase } from './database.ts'
import { DatabaseUnavailableError } from './databaseError.ts'
import { reachDatabase } from './reachDatabase.ts'

const { connection } = inject('postgres')

/** A server that refuses its first connections, with this SQLSTATE, and is PostgreSQL to the later ones. Source: PostgreSQL, Message Formats. */
async function startRefusing(times: number, state: string) {
  const fields = `SFATAL\0VFATAL\0C${state}\0Mthe database system is starting up\0\0`
  const refusal = Buffer.alloc(5 + fields.length)
  refusal.write('E')
  refusal.writeInt32BE(4 + fields.length, 1)
  refusal.write(fields, 5)
  const open = new Set<Socket>()
  let asked = 0
  const server = createServer((client) => {
    open.add(client.on('error', () => undefined))
    if (asked++ < times) return void client.once('data', () => client.end(refusal))
    const upstream = connect(serverOf(connection))
    open.add(upstream.on('error', () => undefined))
    client.pipe(upstream).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const at = { host: '127.0.0.1', port, user: connection.user!, database: 'postgres' }
  const db = createDatabase({ connection: at, poolSize: 1, log: silentLog })
  onTestFinished(async () => {
    await db.close()
    for (const socket of open) socket.destroy()
    server.close()
  })
  return { reach: () => reachDatabase(db, at), place: `127.0.0.1:${port}`, asked: () => asked }
}

test('behavior: a server that says that it is starting is waited for', async () => {
  const server = await startRefusing(3, '57P03')
  await server.reach()
  expect(server.asked()).toBe(4)
})

test('error: a server that refuses for another reason is told of at once, by its address', async () => {
  const server = await startRefusing(1, '53300')
  const error = await server.reach().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(DatabaseUnavailableError)
  expect(error).toMatchObject({
    message: `the database at ${server.place} cannot be reached`,
    cause: { code: '53300' },
  })
  expect(server.asked()).toBe(1)
})
