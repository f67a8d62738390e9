import pg from 'pg'
import { createCoinQuery } from '../src/coin/pages/createCoinQuery.ts'
import type { CoinPosition, CoinQuery } from '../src/coin/query.ts'
import { createDatabase, type Sql } from '../src/db/database.ts'
import { noopLog } from '../src/util/log.ts'
import { answer, childInput } from './child.ts'
import type { SocketConnection } from './temporaryPostgres.ts'

/** The bare query: the product's own statements over as many connections, without using the rows. */
export type CoinsPeerInput = { connection: SocketConnection; connections: number; seconds: number }
/** The first message to the peer. It is too long for an argument. */
export type CoinsPeerQuestions = {
  /** For each page, the position before it; the version is a decimal string. */
  pages: { version: string; hash: string }[]
  /** The hashes of each request. */
  sets: string[][]
}
export type CoinsPeerResult = { perSecond: number }

type Statement = { text: string; values: unknown[] }

const { connection, connections, seconds } = childInput<CoinsPeerInput>()
const { pages, sets } = await new Promise<CoinsPeerQuestions>((resolve) => process.once('message', resolve))
const seen: Statement[] = []
const recorder = {
  async rows(text: string, values: unknown[]) {
    seen.push({ text, values: values.map((value) => (typeof value === 'bigint' ? String(value) : value)) })
    return []
  },
} as unknown as Sql

/** Returns the statements that `request` would send. */
async function statementsOf(request: (query: CoinQuery) => Promise<unknown>): Promise<Statement[]> {
  seen.length = 0
  await request(createCoinQuery({ db: recorder }))
  return [...seen]
}

const db = createDatabase({ connection, poolSize: 1, log: noopLog })
const state = await createCoinQuery({ db }).network('mainnet')
await db.close()
if (!state) throw new Error('no coins are stored')
const known = state
const latest = await statementsOf(async (query) => {
  for (const { version, hash } of pages) {
    const after: CoinPosition = { version: BigInt(version), hash }
    await query.latest({ state: known, after, offset: 0, limit: 100, standard: null })
  }
})
const byHash = await statementsOf(async (query) => {
  for (const hashes of sets) await query.byHash(known, hashes, null)
})
const clients = await Promise.all(
  Array.from({ length: connections }, async () => {
    const client = new pg.Client(connection)
    await client.connect()
    return client
  }),
)
process.on('message', (what: 'latest' | 'byHash') => void run(what === 'latest' ? latest : byHash, what).then(answer))
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => process.exit(0))
answer('ready')

async function run(statements: Statement[], name: string): Promise<CoinsPeerResult> {
  const warm = performance.now() + 500
  const end = warm + seconds * 1_000
  let round = 0
  let count = 0
  await Promise.all(
    clients.map(async (client) => {
      for (let sentAt = performance.now(); sentAt < end; sentAt = performance.now()) {
        const { text, values } = statements[round++ % statements.length]!
        const { rows } = await client.query({ name, text, values, rowMode: 'array' })
        if (!rows[0]?.[0]) throw new Error('an answer of nothing')
        if (sentAt >= warm) count += 1
      }
    }),
  )
  return { perSecond: count / seconds }
}
