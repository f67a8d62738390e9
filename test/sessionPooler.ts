import { connect, type NetConnectOpts, type Socket } from 'node:net'
import { listenBefore } from './beforePostgres.ts'

/** What PgBouncer takes among the settings that open a connection (https://www.pgbouncer.org/config.html, `track_extra_parameters`). */
const taken = new Set([
  ...['user', 'database', 'client_encoding', 'datestyle', 'timezone', 'standard_conforming_strings'],
  'application_name',
])

/** A pooler that keeps a session for each connection, before a PostgreSQL, and refuses what PgBouncer refuses at the start of one. */
export async function startSessionPooler(server: NetConnectOpts): Promise<{ port: number }> {
  function join(client: Socket, startup: Buffer, open: Set<Socket>): void {
    // Length and version of the protocol, then names and values, each with a zero byte behind it.
    const texts = startup.toString('utf8', 8, startup.readInt32BE(0) - 2).split('\0')
    const refused = texts.filter((_, i) => i % 2 === 0).find((name) => !taken.has(name.toLowerCase()))
    if (refused !== undefined) return void client.end(rejection(`unsupported startup parameter: ${refused}`))
    const session = connect(server)
    open.add(session)
    session.on('error', () => undefined)
    session.write(startup)
    client.pipe(session).pipe(client)
  }

  return listenBefore(join)
}

/** The message ErrorResponse of the protocol. */
function rejection(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
