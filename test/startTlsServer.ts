import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type pg from 'pg'
import { onTestFinished } from 'vitest'
import { certificates } from './certificates.ts'
import { connectServer } from './connectServer.ts'

/**
 * Puts a TLS endpoint in front of PostgreSQL, like that of a hosted database. `to`: the server itself, by TCP or socket folder.
 * Source: PostgreSQL, Message Flow, SSL Session Encryption.
 */
export async function startTlsServer(to: pg.ClientConfig): Promise<{ port: number; encrypted: () => number }> {
  const open = new Set<Socket>()
  let encrypted = 0
  const server = createServer((socket) => {
    open.add(socket)
    socket.once('data', () => {
      socket.write('S')
      const client = new TLSSocket(socket, { isServer: true, key: certificates.key, cert: certificates.good })
      const upstream = connectServer(to)
      open.add(upstream)
      encrypted++
      client.pipe(upstream).pipe(client)
      for (const end of [client, upstream]) end.on('error', () => undefined)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, encrypted: () => encrypted }
}
