import pg from 'pg'
import { DatabaseUnavailableError } from './databaseError.ts'

type OnOpen = (error: Error | null, client: pg.Client) => void

/**
 * Settings that determine how texts are written and read, whatever the defaults of the database and the role are: the driver reads only ISO dates,
 * and statements have texts with backslashes. Poolers accept these two among the startup parameters (https://www.pgbouncer.org/config.html).
 */
const textForms = { datestyle: 'ISO', standard_conforming_strings: 'on' }

const { getStartupConf: startupOf } = pg.Client.prototype as unknown as { getStartupConf(): object }

/** A client of `pg`. `connect` throws DatabaseUnavailableError for any reason, as PostgreSQL rejects clients with many codes, and `pg` with none. */
export class SessionClient extends pg.Client {
  override connect(): Promise<pg.Client>
  override connect(onOpen: OnOpen): void
  override connect(onOpen?: OnOpen): Promise<pg.Client> | undefined {
    if (!onOpen)
      return new Promise((resolve, reject) => this.connect((error) => (error ? reject(error) : resolve(this))))
    super.connect((cause: Error | null) => {
      // `pg` leaves the connection open if it fails itself, such as without a password. Repeated attempts would use up the connections of PostgreSQL.
      if (cause) this.connection.stream.destroy()
      onOpen(cause && new DatabaseUnavailableError('the database cannot be reached', { cause }), this)
    })
    return undefined
  }

  /** Called by `pg` for its first message. */
  getStartupConf(): object {
    return { ...startupOf.call(this), ...textForms }
  }
}
