import { createDatabase } from '../src/db/database.ts'
import { migrate } from '../src/db/migrate.ts'
import { silentLog } from '../src/log.ts'
import { startChild } from './child.ts'
import { type Figure, medians } from './figure.ts'
import { startTemporaryPostgres } from './temporaryPostgres.ts'
import { fillQueue, insertStreams, streamId } from './webhookRows.ts'

const rounds = 3
/** Of each round. */
const webhooks = { unordered: 5_000, ordered: 100 }

/** What a receiver that takes 100 ms for each webhook gets of one stream, unordered and ordered. */
export const slowReceiver: Figure = {
  name: 'slowReceiver',
  title: 'Webhooks of one stream to a receiver that answers after 100 ms',
  async run() {
    const postgres = await startTemporaryPostgres()
    const db = createDatabase({ connection: postgres.connection, poolSize: 8, log: silentLog })
    await migrate(db, silentLog)
    const receiver = startChild('./receiver.ts', null)
    const { port } = await receiver.next<{ port: number }>()
    const streams = await insertStreams(db, `http://127.0.0.1:${port}/slow`, [streamId(0)])
    const deliverer = startChild('./deliverer.ts', {
      connection: postgres.connection as never,
      settings: {},
      started: true,
    })
    let from = 1

    /** From the first one that arrives to the last one. */
    async function rate(mode: 'ordered' | 'unordered'): Promise<number> {
      await db.run('UPDATE stream SET delivery = $1', [mode])
      await db.rows(`SELECT pg_notify('mintmark_webhooks', '')`)
      receiver.send({ target: webhooks[mode] })
      await fillQueue(db, streams, { from, blocks: webhooks[mode] })
      from += webhooks[mode]
      const { firstAt, lastAt } = await receiver.next<{ firstAt: number; lastAt: number }>()
      return webhooks[mode] / ((lastAt - firstAt) / 1_000)
    }

    const rows = await medians(rounds, async () => [
      { what: 'unordered', value: await rate('unordered'), unit: 'webhooks/s', goal: { atLeast: 400 } },
      { what: 'ordered, one after the other', value: await rate('ordered'), unit: 'webhooks/s' },
    ])
    for (const child of [deliverer, receiver]) await child.stop()
    await db.close()
    await postgres.stop()
    return rows
  },
}
