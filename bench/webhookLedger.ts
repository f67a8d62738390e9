import { createDatabase, type Database } from '../src/db/database.ts'
import { migrate } from '../src/db/migrations/migrate.ts'
import { noopLog } from '../src/util/log.ts'
import { type Child, startChild } from './child.ts'
import { startTemporaryPostgres, type TemporaryPostgres } from './temporaryPostgres.ts'

/** A database of webhooks without a service, and a receiver on the same machine. */
export type WebhookLedger = {
  db: Database
  receiver: Child
  /** The origin of the receiver; `receiver.ts` describes its paths. */
  origin: string
  /** Runs the service's delivery in a separate process. `started`: it starts at once, otherwise at the first message. */
  startDeliverer(options: { started: boolean }): Child
  stop(): Promise<void>
}

/** `postgres`: the server to use; omitted: a new one. */
export async function startWebhookLedger(
  postgres?: Pick<TemporaryPostgres, 'connection' | 'stop'>,
): Promise<WebhookLedger> {
  const { connection, stop } = postgres ?? (await startTemporaryPostgres())
  const db = createDatabase({ connection, poolSize: 8, log: noopLog })
  await migrate(db, noopLog)
  const receiver = startChild('./receiver.ts', null)
  const { port } = await receiver.next<{ port: number }>()
  return {
    db,
    receiver,
    origin: `http://127.0.0.1:${port}`,
    startDeliverer: ({ started }) => startChild('./deliverer.ts', { connection, settings: {}, started }),
    async stop() {
      await receiver.stop()
      await db.close()
      await stop()
    },
  }
}
