import { connect, type Socket } from 'node:net'
import type pg from 'pg'

/** A connection to a PostgreSQL that nothing was sent on yet, by TCP or by the socket in a folder, as `host` says. */
export function connectServer({ host = '', port = 0 }: pg.ClientConfig): Socket {
  return host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
}
