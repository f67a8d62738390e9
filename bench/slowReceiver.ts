import { type Figure, medians } from './figure.ts'
import { startWebhookLedger } from './webhookLedger.ts'
import { fillQueue, insertStreams, streamId } from './webhookRows.ts'

const rounds = 3
/** Webhooks of each round. */
const webhooks = { unordered: 5_000, ordered: 100 }

/** Measures how many webhooks of one stream reach a receiver that responds after 100 ms, unordered and ordered. */
export const slowReceiver: Figure = {
  name: 'slowReceiver',
  title: 'Webhooks of one stream to a receiver that answers after 100 ms',
  async run() {
    const ledger = await startWebhookLedger()
    const { db, receiver, origin } = ledger
    const streams = await insertStreams(db, `${origin}/slow`, [streamId(0)])
    const deliverer = ledger.startDeliverer({ started: true })
    let from = 1

    /** Returns webhooks a second between the first and the last arrival. */
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
    for (const part of [deliverer, ledger]) await part.stop()
    return rows
  },
}
