import { connect, type NetConnectOpts, type Socket } from 'node:net'
import path from 'node:path'
import type pg from 'pg'
import { listenBefore } from './beforePostgres.ts'

/** A PostgreSQL session of the pooler, and the client that currently uses it. */
type Session = { socket: Socket; client: Socket | undefined; unread: Buffer }

/** The address of a connection's server: the socket in a folder, or a host and port. */
export function serverOf({ host, port }: pg.ClientConfig): NetConnectOpts {
  return host?.startsWith('/') ? { path: path.join(host, `.s.PGSQL.${port}`) } : { host, port: port! }
}

/**
 * A pooler in transaction mode in front of PostgreSQL. A client has a session from its first message until the
 * session is idle outside of a transaction. `serially`: a client gets the session that was idle for longest, else the last one.
 * Source: PostgreSQL, Frontend/Backend Protocol, Message Formats.
 */
export async function startTransactionPooler(
  server: NetConnectOpts,
  { serially }: { serially: boolean },
): Promise<{ port: number }> {
  const idle: Session[] = []

  function join(client: Socket, startup: Buffer, open: Set<Socket>): void {
    const socket = connect(server)
    open.add(socket)
    socket.on('error', () => undefined)
    socket.write(startup)
    const first: Session = { socket, client, unread: Buffer.alloc(0) }
    let session: Session | undefined = first
    socket.on('data', (data: Buffer) => {
      first.client?.write(data)
      first.unread = Buffer.concat([first.unread, data])
      while (first.unread.length >= 5) {
        const end = 1 + first.unread.readInt32BE(1)
        if (first.unread.length < end) break
        const isIdle = first.unread.toString('latin1', 0, 1) === 'Z' && first.unread.toString('latin1', 5, 6) === 'I'
        first.unread = first.unread.subarray(end)
        if (!isIdle) continue
        first.client?.emit('session given back')
        first.client = undefined
        idle.push(first)
      }
    })
    client.on('session given back', () => {
      session = undefined
    })
    client.on('data', (data: Buffer) => {
      // A client that disconnects does not end the session.
      if (data.toString('latin1', 0, 1) === 'X') return void client.end()
      session ??= serially ? idle.shift() : idle.pop()
      session!.client = client
      session!.socket.write(data)
    })
  }

  return listenBefore(join)
}
