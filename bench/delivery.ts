import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../src/db/database.ts'
import { recountLedger } from '../src/stream/ledger/recountLedger.ts'
import { type Child, startChild } from './child.ts'
import { type Figure, medians, type Row, shareOf } from './figure.ts'
import { startWebhookLedger } from './webhookLedger.ts'
import { benchWebhook, fillQueue, insertStreams, streamId } from './webhookRows.ts'

const streamCount = 64
/** The queue is short, so that the machine's speed is the same for both sides of a round. */
const perStream = 250
const posts = streamCount * perStream
/** The figure does not count these rounds: Node still compiles both sides. */
const warmRounds = 3
const rounds = 11

/** Measures how fast the service signs webhooks of 2 kB in both ways, sends and settles them, beside bare posts of the same body. */
export const delivery: Figure = {
  name: 'delivery',
  title: `Delivery of webhooks of 2 kB to a receiver on the same machine, ${posts.toLocaleString('en')} a round`,
  async run() {
    const ledger = await startWebhookLedger()
    const { db, receiver, origin } = ledger
    const ids = Array.from({ length: streamCount }, (_, i) => streamId(i))
    const streams = await insertStreams(db, `${origin}/`, ids)
    const { body } = benchWebhook(streams[0]!, 1)
    const peer = startChild('./postPeer.ts', { origin, body, connections: streamCount })
    await peer.next()
    const deliverer = ledger.startDeliverer({ started: false })
    let from = 1
    async function round(): Promise<Row[]> {
      await fillQueue(db, streams, { from, blocks: perStream })
      from += perStream
      const bare = await bareRate(peer, receiver)
      const own = await deliveryRate({ db, deliverer, receiver, posts })
      return rowsOf(own, bare, body)
    }
    for (let i = 0; i < warmRounds; i++) await round()
    const rows = await medians(rounds, round)
    const { mismatches } = await recountLedger(db)
    if (mismatches.length > 0) throw new Error(`the ledger does not balance: ${JSON.stringify(mismatches[0])}`)
    for (const part of [deliverer, peer, ledger]) await part.stop()
    return rows
  },
}

async function bareRate(peer: Child, receiver: Child): Promise<number> {
  receiver.send({ target: posts })
  peer.send({ posts })
  await receiver.next()
  return (await peer.next<{ perSecond: number }>()).perSecond
}

/** Returns webhooks a second for `posts` queued webhooks, from the start of sending until the ledger has the last row. */
export async function deliveryRate(options: {
  db: Database
  deliverer: Child
  receiver: Child
  posts: number
}): Promise<number> {
  const { db, deliverer, receiver, posts } = options
  receiver.send({ target: posts })
  deliverer.send('start')
  await deliverer.next()
  const { firstAt } = await receiver.next<{ firstAt: number; lastAt: number }>()
  for (;;) {
    const [row] = await db.rows<[bigint]>('SELECT count(*) FROM webhook_queue')
    if (row?.[0] === 0n) break
    await wait(5)
  }
  const perSecond = posts / ((Date.now() - firstAt) / 1_000)
  deliverer.send('stop')
  await deliverer.next()
  return perSecond
}

function rowsOf(own: number, bare: number, body: string): Row[] {
  return [
    {
      what: 'Mintmark: signed, sent, ledger and counters committed',
      value: own,
      unit: 'webhooks/s',
      goal: { atLeast: 10_000 },
    },
    { what: 'baseline: unsigned posts by undici Pool', value: bare, unit: 'posts/s' },
    { what: 'Mintmark, of the baseline', ...shareOf(own, bare, 30) },
    { what: 'bytes of a body', value: body.length, unit: 'B' },
  ]
}
