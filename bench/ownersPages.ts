import { request } from 'undici'
import { createDatabase } from '../src/db/database.ts'
import { noopLog } from '../src/util/log.ts'
import { type Figure, medians, type Row, shareOf } from './figure.ts'
import { type MeasuredCollection, startMeasuredCollection } from './measuredCollection.ts'
import { benchKey, embeddedPoolSize, type PageBody, pageAddress, untilTried } from './measuredService.ts'
import { startPageLoad } from './pageLoad.ts'
import type { SocketConnection } from './temporaryPostgres.ts'

const single = { seed: 3, logs: 100_000, blocks: 150_000, mintShare: 1, holders: 20_000 }
const multiple = { seed: 3, logs: 150_000, blocks: 200_000, mintShare: 0.5, holders: 5_000, ids: 20_000 }
const holdersOfOne = 1_000_000
const connections = 16
/** Measurements are short and alternate, because the machine's speed changes within seconds. */
const seconds = 1
const rounds = 8
/** The figure does not count these rounds. */
const warmRounds = 5
const pages = 200

/** Measures uncached pages of owners for both standards and for a token with a million holders, beside pages of tokens. */
export const ownersPages: Figure = {
  name: 'owners-pages',
  title: 'Pages of 100 owners, the page cache turned off, 16 connections',
  async run() {
    const config = { pageCache: { maxBytes: 0 }, databasePoolSize: embeddedPoolSize }
    const owned = await startMeasuredCollection({ shape: single, uris: { at: 'nowhere' } }, config)
    const held = await startMeasuredCollection({ shape: multiple, uris: { at: 'nowhere' } }, config)
    for (const { service, node } of [owned, held]) await untilTried(service.url, node.contract)
    const tokenId = await addHolders(held.postgres.connection)
    const kinds = [
      { what: 'token list of an ERC-721', of: owned, path: '' },
      { what: 'owners of an ERC-721', of: owned, path: '/owners', goal: { atLeast: 1_500 } },
      { what: 'owners of an ERC-1155', of: held, path: '/owners', goal: { atLeast: 1_500 } },
      {
        what: 'owners of a token with 1,000,000 holders',
        of: held,
        path: `/${tokenId}/owners`,
        goal: { atLeast: 1_500 },
      },
    ]
    const sides = await Promise.all(kinds.map(async (kind) => ({ ...kind, paths: await walk(kind.of, kind.path) })))
    const load = startPageLoad({ connections, seconds })
    let repetition = 0
    async function round(): Promise<Row[]> {
      const rates = new Map<string, number>()
      for (const { what, of, paths } of repetition++ % 2 === 0 ? sides : sides.toReversed())
        rates.set(what, (await load.measure(of.service.url, paths)).perSecond)
      const list = rates.get(kinds[0]!.what)!
      return kinds.flatMap(({ what, goal }, i) => [
        { what, value: rates.get(what)!, unit: 'pages/s', ...(goal && { goal }) },
        ...(i === 0 ? [] : [{ what: `${what}, of the token list`, ...shareOf(rates.get(what)!, list, 50) }]),
      ])
    }
    // Node compiles code while it runs.
    for (let i = 0; i < warmRounds; i++) await round()
    const rows = await medians(rounds, round)
    for (const part of [load, owned, held]) await part.stop()
    return rows
  },
}

/** Gives one token more holders, as transfers would, and returns its id. */
async function addHolders(connection: SocketConnection): Promise<string> {
  const db = createDatabase({ connection, poolSize: 1, log: noopLog })
  const [row] = await db.rows<[number, bigint, string, string]>(
    'SELECT partition, collection_id, token_hash::text, token_id::text FROM token WHERE amount > 0 ORDER BY token_hash LIMIT 1',
  )
  const [partition, collection, hash, tokenId] = row!
  await db.run(
    `INSERT INTO balance (partition, collection_id, token_hash, holder, amount)
     SELECT $1, $2, $3, decode(md5(n::text) || '00000000', 'hex'), 1 FROM generate_series(1, $4::int) n`,
    [partition, collection, hash, holdersOfOne],
  )
  await db.run(
    'UPDATE token SET amount = amount + $4, holders = holders + $4, owner = NULL WHERE partition = $1 AND collection_id = $2 AND token_hash = $3',
    [partition, collection, hash, holdersOfOne],
  )
  await db.run('VACUUM ANALYZE')
  await db.close()
  return tokenId
}

/** Walks a list by its cursors and returns the paths of its pages. */
async function walk({ service, node }: MeasuredCollection, path: string): Promise<string[]> {
  const targets: string[] = []
  let address = pageAddress(service.url, node.contract + path, {})
  while (targets.length < pages) {
    const { body } = await request(address, { headers: { 'x-api-key': benchKey } })
    const page = (await body.json()) as PageBody
    const { pathname, search } = new URL(address)
    targets.push(pathname + search)
    if (page.cursor === null) break
    address = pageAddress(service.url, node.contract + path, { cursor: page.cursor })
  }
  return targets
}
