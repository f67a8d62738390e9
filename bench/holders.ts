import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import { createDatabase, type Database } from '../src/db/database.ts'
import { noopLog } from '../src/util/log.ts'
import { peakMegabytes } from './child.ts'
import { type Figure, median, type Row } from './figure.ts'
import { type MeasuredCollection, startMeasuredCollection } from './measuredCollection.ts'
import { benchChain, benchKey, embeddedPoolSize, pageAddress, untilTried } from './measuredService.ts'
import { startPageLoad } from './pageLoad.ts'

const shape = { seed: 9, logs: 1_000, blocks: 1_000, mintShare: 0.5, holders: 100, ids: 100 }
const million = 1_000_000
const ownersOfPage = 50_000
const rounds = 5
/** Milliseconds between two requests for 50,000 owners: 200,000 owners a second. */
const ownersEveryMs = 250

/** Measures lists of the holders of a collection. One statement reads them at the first request; later the database keeps an index. */
export const holders: Figure = {
  name: 'holders',
  title: 'Holders of a collection: 1,000,000 by amount, and 50,000 owners in one answer of the Alchemy API',
  async run() {
    const config = { databasePoolSize: embeddedPoolSize }
    const large = await startMeasuredCollection({ shape, uris: { at: 'nowhere' } }, config)
    await addHolders(large, million)
    const rows = await ofMillion(large)
    await large.stop()
    const small = await startMeasuredCollection({ shape, uris: { at: 'nowhere' } }, config)
    await addHolders(small, ownersOfPage - shape.holders)
    rows.push(...(await ofOwners(small)))
    await small.stop()
    return rows
  },
}

async function ofMillion({ service, node, postgres }: MeasuredCollection): Promise<Row[]> {
  const target = (query: Record<string, string>) => pageAddress(service.url, `${node.contract}/holders`, query)
  const first = await timed(() => read(target({ limit: '1000' })))
  const db = createDatabase({ connection: postgres.connection, poolSize: 1, log: noopLog })
  const build = await timed(() => untilKept(db))
  const again: number[] = []
  for (let i = 0; i < rounds; i++) {
    await db.run('UPDATE collection SET version = version + 1')
    again.push((await timed(() => read(target({ limit: String(1_000 - i) })))).ms)
  }
  await db.close()
  let walked = 0
  const walk = await timed(async () => {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: HolderPage = await read(target({ limit: '1000', ...(cursor && { cursor }) }))
      walked += page.result.length
      cursor = page.cursor
    }
  })
  return [
    { what: '1,000,000 holders, first request of all', value: first.ms, unit: 'ms' },
    { what: '1,000,000 holders, from then until the index is built', value: build.ms / 1_000, unit: 's' },
    {
      what: '1,000,000 holders, first page of 1,000 after a change of the collection',
      value: median(again),
      unit: 'ms',
      goal: { atMost: 20 },
    },
    {
      what: '1,000,000 holders, walk in pages of 1,000',
      value: (1_000 * walked) / walk.ms,
      unit: 'holders/s',
      goal: { atLeast: 200_000 },
    },
  ]
}

async function ofOwners({ service, node }: MeasuredCollection): Promise<Row[]> {
  const target = `${service.url}/alchemy/${benchChain.name}/nft/v3/-/getOwnersForContract?contractAddress=${node.contract}`
  const cached = pageAddress('', node.contract, { limit: '100' })
  await text(service.url + cached)
  const load = startPageLoad({ connections: 4, seconds: 5 })
  const headers = { 'x-api-key': await otherKey(service.url) }
  const measurePages = () => load.measure(service.url, [cached], { perSecond: 100, headers })
  // The first round opens connections and compiles code on both sides.
  await measurePages()
  const alone = await measurePages()
  const before = peakMegabytes(service.pid)
  let isMeasured = false
  const meanwhile = measurePages().finally(() => {
    isMeasured = true
  })
  const times: number[] = []
  let owners = 0
  while (!isMeasured) {
    const { ms, result } = await timed(() => text(target))
    if (times.length === 0) owners = (JSON.parse(result) as { owners: string[] }).owners.length
    times.push(ms)
    await delay(Math.max(0, ownersEveryMs - ms))
  }
  const beside = await meanwhile
  const memory = peakMegabytes(service.pid) - before
  await load.stop()
  return [
    { what: 'getOwnersForContract, owners of an answer', value: owners, unit: 'owners' },
    { what: 'getOwnersForContract, first answer', value: times[0]!, unit: 'ms', goal: { atMost: 500 } },
    { what: 'getOwnersForContract, median', value: median(times), unit: 'ms', goal: { atMost: 500 } },
    { what: 'getOwnersForContract, further memory', value: memory, unit: 'MB', goal: { atMost: 100 } },
    { what: 'cached pages of another key, 99th percentile without other requests', value: alone.p99Ms, unit: 'ms' },
    {
      what: 'the same beside four of these answers a second',
      value: beside.p99Ms,
      unit: 'ms',
      goal: { atMost: 25 },
    },
  ]
}

/** Creates another key, whose requests do not wait for those of the first one. */
async function otherKey(url: string): Promise<string> {
  const { statusCode, body } = await request(`${url}/admin/keys`, {
    method: 'POST',
    headers: { 'x-api-key': benchKey, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'other' }),
  })
  const text = await body.text()
  if (statusCode >= 300) throw new Error(`a key was answered ${statusCode}: ${text}`)
  return (JSON.parse(text) as { key: string }).key
}

async function untilKept(db: Database): Promise<void> {
  while ((await db.rows('SELECT 1 FROM holder_index WHERE built')).length === 0) await delay(20)
}

type HolderPage = { cursor: string | null; result: object[] }

const read = async (address: string): Promise<HolderPage> => JSON.parse(await text(address))

async function text(address: string): Promise<string> {
  for (;;) {
    const { statusCode, body } = await request(address, { headers: { 'x-api-key': benchKey } })
    const found = await body.text()
    if (statusCode === 200) return found
    // The service still reads the list and responds with 503 after a while.
    if (statusCode !== 503) throw new Error(`a page was answered ${statusCode}: ${found}`)
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const began = performance.now()
  const result = await work()
  return { ms: performance.now() - began, result }
}

/** Gives one token more holders, each with another amount, as transfers would. */
async function addHolders({ service, node, postgres }: MeasuredCollection, count: number): Promise<void> {
  await untilTried(service.url, node.contract)
  const { connection } = postgres
  const db = createDatabase({ connection, poolSize: 1, log: noopLog })
  await db.run(
    `WITH chosen AS (SELECT partition, collection_id, token_hash FROM token WHERE amount > 0 AND erc1155 ORDER BY token_hash LIMIT 1), added AS (
       INSERT INTO balance (partition, collection_id, token_hash, holder, amount)
       SELECT c.*, decode(md5(n::text) || '00000000', 'hex'), n FROM chosen c, generate_series(1, $1::int) n
     )
     UPDATE token t SET amount = t.amount + $1::numeric * ($1 + 1) / 2, holders = t.holders + $1, owner = NULL FROM chosen c
     WHERE t.partition = c.partition AND t.collection_id = c.collection_id AND t.token_hash = c.token_hash`,
    [count],
  )
  await db.run('UPDATE collection SET version = version + 1')
  await db.run('VACUUM ANALYZE')
  await db.close()
}
