import { connect, type NetConnectOpts, type Socket } from 'node:net'
import { listenBefore } from './beforePostgres.ts'

/** The startup parameters that PgBouncer accepts (https://www.pgbouncer.org/config.html, `track_extra_parameters`). */
const taken = new Set([
  ...['user', 'database', 'client_encoding', 'datestyle', 'timezone', 'standard_conforming_strings'],
  'application_name',
])

/** A pooler in session mode in front of PostgreSQL. It rejects the startup parameters that PgBouncer rejects. */
export async function startSessionPooler(server: NetConnectOpts): Promise<{ port: number }> {
  function join(client: Socket, startup: Buffer, open: Set<Socket>): void {
    // Length and protocol version, then names and values, each followed by a zero byte.
    const texts = startup.toString('utf8', 8, startup.readInt32BE(0) - 2).split('\0')
    const rejected = texts.filter((_, i) => i % 2 === 0).find((name) => !taken.has(name.toLowerCase()))
    if (rejected !== undefined) return void client.end(rejection(`unsupported startup parameter: ${rejected}`))
    const session = connect(server)
    open.add(session)
    session.on('error', () => undefined)
    session.write(startup)
    client.pipe(session).pipe(client)
  }

  return listenBefore(join)
}

/** The protocol message ErrorResponse. */
function rejection(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
