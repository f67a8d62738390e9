import { dropQueued } from '../src/stream/ledger/streamState.ts'
import { type Figure, medians, p99 } from './figure.ts'
import { timeWebhooks } from './timedWebhooks.ts'
import { startWebhookLedger } from './webhookLedger.ts'
import { fillQueue, insertStreams, streamId } from './webhookRows.ts'

const streamCount = 20
const hanging = 10_000
const blocks = 300
const rounds = 3

/** Measures the time from the commit of a webhook to its arrival, alone and while another address hangs with a long queue. */
export const isolation: Figure = {
  name: 'isolation',
  title: `Webhooks of ${streamCount} streams while another endpoint hangs, with ${hanging.toLocaleString('en')} queued for it`,
  async run() {
    const ledger = await startWebhookLedger()
    const { db, receiver, origin } = ledger
    const ids = Array.from({ length: streamCount }, (_, i) => streamId(i))
    const streams = await insertStreams(db, `${origin}/timed`, ids)
    const [dead] = await insertStreams(db, `${origin}/hang`, [streamId(1_000)])
    const deliverer = ledger.startDeliverer({ started: true })
    let from = 1
    const measure = async () => {
      const taken = await timeWebhooks(db, receiver, streams, { from, blocks })
      from += blocks
      return p99(taken)
    }
    await measure()
    let deadFrom = 1
    const rows = await medians(rounds, async () => {
      await db.transaction((tx) => dropQueued(tx, dead!, 'the next round begins'))
      const alone = await measure()
      await fillQueue(db, [dead!], { from: deadFrom, blocks: hanging })
      deadFrom += hanging
      const beside = await measure()
      return [
        { what: 'p99 alone', value: alone, unit: 'ms' },
        { what: 'p99 beside the hanging endpoint', value: beside, unit: 'ms' },
        { what: 'p99 beside it, as a multiple of p99 alone', value: beside / alone, unit: '×', goal: { atMost: 2 } },
      ]
    })
    for (const part of [deliverer, ledger]) await part.stop()
    return rows
  },
}
