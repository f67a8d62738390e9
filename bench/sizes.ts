import { createDatabase } from '../src/db/database.ts'
import { silentLog } from '../src/log.ts'
import { enqueueWebhooks } from '../src/stream/ledger/enqueueWebhooks.ts'
import { startAnvil } from '../test/anvil.ts'
import { plain721 } from '../test/contracts/artifacts/plain721.ts'
import { startReceiver } from '../test/receiver.ts'
import { type Figure, median, type Row } from './figure.ts'
import { benchChain, embeddedPoolSize, getPage, startMeasuredService } from './measuredService.ts'
import { type BytesPerMillion, seededStreams, seedSizes } from './seedSizes.ts'
import { startTemporaryPostgres } from './temporaryPostgres.ts'
import { benchWebhook, insertStreams, streamId } from './webhookRows.ts'

/** Tokens of one collection, and delivered webhooks in the ledger. */
type Size = { tokens: number; webhooks: number }

const small: Size = { tokens: 10_000, webhooks: 10_000 }
const large: Size = { tokens: 10_000_000, webhooks: 10_000_000 }
/** Goal: what the large size takes of the small one's time. */
const mostGrowth = 1.3
const rounds = 5

/** Milliseconds of each kind of work, a median of a round. */
type Times = { page: number; delivery: number; block: number; start: number; stop: number }

const titles: Record<keyof Times, string> = {
  page: 'a page of 100 tokens out of the database',
  block: 'a step: from a block at the node until it is stored',
  delivery: 'a delivery: from the enqueuing of a webhook to the receiver',
  start: 'a start, until the server is ready',
  stop: 'a stop, from SIGTERM to the end of the process',
}

/** What a thousand times as many rows do to the time of each kind of work. */
export const sizes: Figure = {
  name: 'sizes',
  title: `One collection of ${small.tokens.toLocaleString('en')} tokens and of ${large.tokens.toLocaleString('en')}, with as many webhooks in the ledger`,
  async run() {
    const [few, many] = [await openWorld(small), await openWorld(large)]
    const times = { few: [] as Times[], many: [] as Times[] }
    await few.round()
    await many.round()
    for (let i = 0; i < rounds; i++) {
      times.few.push(await few.round())
      times.many.push(await many.round())
    }
    for (const world of [few, many]) await world.stop()
    const rows = (Object.keys(titles) as (keyof Times)[]).flatMap((kind): Row[] => {
      const [a, b] = [median(times.few.map((t) => t[kind])), median(times.many.map((t) => t[kind]))]
      return [
        { what: titles[kind], value: a, unit: 'ms' },
        { what: 'the same, large', value: b, unit: 'ms' },
        { what: 'large to small', value: b / a, unit: '×', goal: { atMost: mostGrowth } },
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

/** A chain, a receiver and a database of the size, on which a service is started and stopped in each round. */
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
  const db = createDatabase({ connection: postgres.connection, poolSize: 2, log: silentLog })
  const streams = await insertStreams(
    db,
    receiver.url,
    Array.from({ length: seededStreams }, (_, i) => streamId(i)),
  )
  // Of no chain, so that the service follows none for them.
  await db.run(`UPDATE stream SET chain_ids = '{}'`)
  const [collection] = await db.rows<[bigint]>('SELECT id FROM collection')
  const bytes = await seedSizes(db, { ...size, collectionId: collection![0], streams })
  let number = 100_000_000

  async function deliver(): Promise<number> {
    const webhook = benchWebhook(streams[number % streams.length]!, number++)
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

  async function several(times: number, work: () => Promise<number>): Promise<number> {
    const taken: number[] = []
    for (let i = 0; i < times; i++) taken.push(await work())
    return median(taken)
  }

  return {
    bytes,
    async round() {
      const startedAt = performance.now()
      const service = await open()
      const start = performance.now() - startedAt
      await step()
      const page = await several(100, async () => {
        const began = performance.now()
        const totalRanges = size.tokens / 1_000
        const range = String(Math.floor(Math.random() * Math.min(1_000, totalRanges)))
        await getPage(service.url, contract, { totalRanges: String(Math.min(1_000, totalRanges)), range })
        return performance.now() - began
      })
      const block = await several(20, step)
      const delivery = await several(30, deliver)
      receiver.received.length = 0
      const stoppedAt = performance.now()
      await service.stop()
      return { page, block, delivery, start, stop: performance.now() - stoppedAt }
    },
    async stop() {
      await db.close()
      await receiver.close()
      await postgres.stop()
      await anvil.stop()
    },
  }
}
