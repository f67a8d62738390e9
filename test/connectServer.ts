import { connect, type Socket } from 'node:net'
import type pg from 'pg'

/** A connection to PostgreSQL on which nothing has been sent yet. If `host` is a folder, it uses the socket there, else TCP. */
export function connectServer({ host = '', port = 0 }: pg.ClientConfig): Socket {
  return host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
}
