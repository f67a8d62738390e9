import { createDatabase } from '../src/db/database.ts'
import { enqueueWebhooks } from '../src/stream/ledger/enqueueWebhooks.ts'
import { noopLog } from '../src/util/log.ts'
import { startAnvil } from '../test/anvil.ts'
import { plain721 } from '../test/contracts/artifacts/plain721.ts'
import { startReceiver } from '../test/receiver.ts'
import { type Figure, median, type Row } from './figure.ts'
import { benchChain, embeddedPoolSize, getPage, startMeasuredService } from './measuredService.ts'
import { type BytesPerMillion, seededStreams, seedSizes } from './seedSizes.ts'
import { startTemporaryPostgres } from './temporaryPostgres.ts'
import { type BenchStream, benchWebhook, insertStreams, streamId } from './webhookRows.ts'

/** Tokens of one collection, and delivered webhooks in the ledger. */
type Size = { tokens: number; webhooks: number }

const small: Size = { tokens: 10_000, webhooks: 10_000 }
const usual: Size = { tokens: 10_000_000, webhooks: 10_000_000 }
/** Goal: the time with the large size, divided by the time with the small one. */
const mostGrowth = 1.3
const rounds = 5

/** Milliseconds of each kind of work: the median of a round. */
type Times = Record<'page' | 'again' | 'block' | 'delivery' | 'next' | 'start' | 'stop', number>

const titles: Record<keyof Times, string> = {
  page: 'first read of a page of 100 tokens from the database',
  again: 'the same pages again',
  block: 'a step of the follower: from a block at the node until it is stored',
  delivery: 'a delivery: from the enqueuing of a webhook to the receiver, for an idle stream',
  next: 'the next delivery of the same streams',
  start: 'a start, until the server is ready',
  stop: 'a stop, from SIGTERM to the end of the process',
}

/** Measures how a thousand times as many rows change the time of each kind of work. */
export const sizes: Figure = {
  name: 'sizes',
  title: `One collection of ${small.tokens.toLocaleString('en')} tokens and of ${usual.tokens.toLocaleString('en')}, with as many webhooks in the ledger`,
  async run({ rows: count, seeded } = {}) {
    const large = count === undefined ? usual : { tokens: count, webhooks: count }
    const [few, many] = [await openWorld(small), await openWorld(large)]
    await seeded?.()
    const times = { few: [] as Times[], many: [] as Times[] }
    await few.round()
    await many.round()
    // The order alternates, so that a machine that becomes faster meanwhile favours neither size.
    for (let i = 0; i < rounds; i++) {
      if (i % 2 === 0) times.few.push(await few.round())
      times.many.push(await many.round())
      if (i % 2 === 1) times.few.push(await few.round())
    }
    for (const world of [few, many]) await world.stop()
    const rows = (Object.keys(titles) as (keyof Times)[]).flatMap((kind): Row[] => {
      const [a, b] = [median(times.few.map((t) => t[kind])), median(times.many.map((t) => t[kind]))]
      return [
        { what: titles[kind], value: a, unit: 'ms' },
        { what: 'the same, large collection', value: b, unit: 'ms' },
        { what: 'large as a multiple of small', value: b / a, unit: '×', goal: { atMost: mostGrowth } },
      ]
    })
    return [
      ...rows,
      { what: 'a million tokens with metadata, indexes included', value: many.bytes.tokens / 1e6, unit: 'MB' },
      { what: 'a million webhooks with body and attempt', value: many.bytes.webhooks / 1e6, unit: 'MB' },
    ]
  },
}

type World = { bytes: BytesPerMillion; round(): Promise<Times>; stop(): Promise<void> }

/** Prepares a chain, a receiver and a database of this size. Each round starts and stops a service on them. */
async function openWorld(size: Size): Promise<World> {
  const anvil = await startAnvil({ slotsInAnEpoch: 1 })
  const contract = await anvil.deploy(plain721, ['Sized', 'SZD', ''])
  const [holder] = anvil.accounts
  const postgres = await startTemporaryPostgres()
  const receiver = await startReceiver()
  let id = 1n
  const mint = async () =>
    (await anvil.send({ to: contract, abi: plain721.abi, functionName: 'mint', args: [holder!, id++] })).blockHash
  const open = () =>
    startMeasuredService({
      databaseUrl: postgres.url,
      config: {
        pageCache: { maxBytes: 0 },
        databasePoolSize: embeddedPoolSize,
        outbound: { allow: ['127.0.0.1'] },
        chains: { [benchChain.name]: { id: benchChain.id, rpc: [anvil.url], pollIntervalMs: 20 } },
      },
    })
  const first = await open()
  await mint()
  await anvil.mine(5)
  while ((await getPage(first.url, contract, {})).status !== 'SYNCED') await anvil.mine(1)
  await first.stop()
  const db = createDatabase({ connection: postgres.connection, poolSize: 2, log: noopLog })
  const streams = await insertStreams(
    db,
    receiver.url,
    Array.from({ length: seededStreams }, (_, i) => streamId(i)),
  )
  // The streams have no chain, so that the service never matches blocks with them.
  await db.run(`UPDATE stream SET chain_ids = '{}'`)
  const [collection] = await db.rows<[bigint]>('SELECT id FROM collection')
  const bytes = await seedSizes(db, { ...size, collectionId: collection![0], streams })
  let number = 100_000_000

  async function deliver(stream: BenchStream): Promise<number> {
    const webhook = benchWebhook(stream, number++)
    const began = performance.now()
    await db.transaction((tx) => enqueueWebhooks(tx, [webhook]))
    await receiver.until((received) => received.some(({ body }) => body.includes(webhook.blockHash)))
    return performance.now() - began
  }

  async function step(): Promise<number> {
    const hash = await mint()
    const began = performance.now()
    for (;;) {
      const [row] = await db.rows<[boolean]>(`SELECT '0x' || encode(block_hash, 'hex') = $1 FROM chain`, [hash])
      if (row?.[0]) return performance.now() - began
    }
  }

  async function each<T>(items: readonly T[], work: (item: T) => Promise<number>): Promise<number> {
    const taken: number[] = []
    for (const item of items) taken.push(await work(item))
    return median(taken)
  }

  // Rounds read all ranges of token hashes and use all streams, in the same order in every run.
  const totalRanges = Math.min(1_000, size.tokens / 1_000)
  const ranges = createEndless(Array.from({ length: totalRanges }, (_, i) => (i * 7) % totalRanges))
  const idle = createEndless(streams)

  async function request(url: string, range: number): Promise<number> {
    const began = performance.now()
    await getPage(url, contract, { totalRanges: String(totalRanges), range: String(range) })
    return performance.now() - began
  }

  return {
    bytes,
    async round() {
      const startedAt = performance.now()
      const service = await open()
      const start = performance.now() - startedAt
      await step()
      const requested = ranges(100)
      const page = await each(requested, (range) => request(service.url, range))
      const again = await each(requested, (range) => request(service.url, range))
      const block = await each(Array(20).fill(null), step)
      const called = idle(30)
      const delivery = await each(called, deliver)
      const next = await each(called, deliver)
      receiver.received.length = 0
      const stoppedAt = performance.now()
      await service.stop()
      return { page, again, block, delivery, next, start, stop: performance.now() - stoppedAt }
    },
    async stop() {
      await db.close()
      await receiver.close()
      await postgres.stop()
      await anvil.stop()
    },
  }
}

/** Returns a function that gives the next `count` items with each call and begins again after the last. */
function createEndless<T>(items: readonly T[]): (count: number) => T[] {
  let place = 0
  return (count) => Array.from({ length: count }, () => items[place++ % items.length]!)
}
