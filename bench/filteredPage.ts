import { request } from 'undici'
import { createDatabase } from '../src/db/database.ts'
import { noopLog } from '../src/util/log.ts'
import { type Figure, median, type Row } from './figure.ts'
import { manyDocuments, startMeasuredCollection } from './measuredCollection.ts'
import { benchKey, embeddedPoolSize, pageAddress, untilTried } from './measuredService.ts'
import type { SocketConnection } from './temporaryPostgres.ts'

const shape = { seed: 6, logs: 100_000, blocks: 150_000, mintShare: 1, holders: 20_000 }
const requests = 100

const valuesOf = (type: string, ...colours: string[]) => colours.map((colour) => `${type}:${colour} ${type}`)

/** The value of a trait in synthetic metadata is three bits of the id. It shares two of them with the next trait. */
const filters: [what: string, traits: string[]][] = [
  ['one value, of an eighth of the tokens', valuesOf('Hat', 'Red')],
  ['two values that 3,125 tokens have together', [...valuesOf('Background', 'Red'), ...valuesOf('Mouth', 'Red')]],
  [
    'six values that 390 tokens have together',
    ['Background', 'Fur', 'Eyes', 'Mouth', 'Hat', 'Clothes'].flatMap((type) => valuesOf(type, 'Red')),
  ],
  [
    'two values of half of the tokens each, which no token has together',
    [...valuesOf('Background', 'Red', 'Green', 'Blue', 'Gold'), ...valuesOf('Fur', 'Blue', 'Gold', 'Plum', 'Rust')],
  ],
  [
    'two values of an eighth of the tokens each, which no token has together',
    [...valuesOf('Background', 'Red'), ...valuesOf('Fur', 'Green')],
  ],
  ['a value that no token has', valuesOf('Hat', 'White')],
]

/** Measures pages of a filtered list, one after the other, and the size of the index of traits. */
export const filteredPage: Figure = {
  name: 'filtered-page',
  title:
    'Pages filtered by traits out of 100,000 tokens with six traits, the page cache turned off, one request at a time',
  async run() {
    const collection = await startMeasuredCollection(
      { shape, uris: { at: 'data' } },
      { pageCache: { maxBytes: 0 }, databasePoolSize: embeddedPoolSize, ...manyDocuments },
    )
    const { node, postgres, service } = collection
    await untilTried(service.url, node.contract)
    const sizes = await indexSizes(postgres.connection)
    const rows: Row[] = []
    for (const [what, traits] of filters) {
      const address = `${pageAddress(service.url, node.contract, {})}${traits.map((trait) => `&traits=${encodeURIComponent(trait)}`).join('')}`
      const { first, pages, times } = await walk(address)
      rows.push(
        { what: `${what}: time of a page, median`, value: median(times), unit: 'ms', goal: { atMost: 10 } },
        { what: `${what}: records of the first page`, value: first, unit: 'records' },
        { what: `${what}: pages of the whole list`, value: pages, unit: 'pages' },
      )
    }
    await collection.stop()
    return [...rows, ...sizes]
  },
}

/** Walks a list repeatedly until it has read `requests` pages. The first ten are not timed, as Node still compiles the code. */
async function walk(address: string): Promise<{ first: number; pages: number; times: number[] }> {
  const times: number[] = []
  let first = 0
  let pages = 0
  for (let n = 0, cursor: string | null = null, page = 0; n < requests + 10; n++) {
    const started = performance.now()
    const { body } = await request(cursor === null ? address : `${address}&cursor=${cursor}`, {
      headers: { 'x-api-key': benchKey },
    })
    const answer = (await body.json()) as { result: unknown[]; cursor: string | null }
    if (n >= 10) times.push(performance.now() - started)
    if (page === 0) first = answer.result.length
    page++
    cursor = answer.cursor
    if (cursor !== null) continue
    pages = page
    page = 0
  }
  return { first, pages, times }
}

async function indexSizes(connection: SocketConnection): Promise<Row[]> {
  const db = createDatabase({ connection, poolSize: 1, log: noopLog })
  await db.run('VACUUM ANALYZE token_trait')
  const [row] = await db.rows<[bigint, bigint, bigint]>(
    `SELECT (SELECT count(*) FROM token_trait), pg_relation_size('token_trait')::int8, pg_indexes_size('token_trait')::int8`,
  )
  await db.close()
  const [rows, table, index] = row!
  return [
    { what: 'rows of token_trait', value: Number(rows), unit: 'rows' },
    { what: 'bytes of a row in the table', value: Number(table) / Number(rows), unit: 'B' },
    { what: 'bytes of a row in its index', value: Number(index) / Number(rows), unit: 'B' },
  ]
}
