import pg from 'pg'
import { DatabaseUnavailableError } from './databaseError.ts'

type OnOpen = (error: Error | null, client: pg.Client) => void

/** A client of `pg`. `connect` throws DatabaseUnavailableError for any reason, as PostgreSQL rejects clients with many codes, and `pg` with none. */
export class SessionClient extends pg.Client {
  override connect(): Promise<pg.Client>
  override connect(onOpen: OnOpen): void
  override connect(onOpen?: OnOpen): Promise<pg.Client> | undefined {
    if (!onOpen)
      return new Promise((resolve, reject) => this.connect((error) => (error ? reject(error) : resolve(this))))
    super.connect((cause: Error | null) =>
      onOpen(cause && new DatabaseUnavailableError('the database cannot be reached', { cause }), this),
    )
    return undefined
  }
}
