import pg from 'pg'
import { createDatabase, type Database } from '../src/db/database.ts'
import { silentLog } from '../src/log.ts'
import { createNftQuery } from '../src/nft/createNftQuery.ts'
import type { PageOptions } from '../src/nft/query.ts'
import { answer, childInput } from './child.ts'
import { median } from './figure.ts'
import type { SocketConnection } from './temporaryPostgres.ts'

/**
 * The bare client: the statement that cuts a page, with the parameters of the same pages, over as many connections, and
 * nothing done with what it gives. The statement is taken from the product itself.
 */
export type PagePeerInput = {
  connection: SocketConnection
  chainId: string
  contract: `0x${string}`
  /** The last token hash of the page before, for each page. */
  after: string[]
  connections: number
  seconds: number
}
export type PagePeerResult = { perSecond: number; medianMs: number }

type Statement = { text: string; values: unknown[] }

const { connection, chainId, contract, after, connections, seconds } = childInput<PagePeerInput>()

async function statements(): Promise<Statement[]> {
  const db = createDatabase({ connection, poolSize: 1, log: silentLog })
  const state = await createNftQuery({ db }).state(BigInt(chainId), contract)
  await db.close()
  if (!state) throw new Error('the collection is not stored')
  const seen: Statement[] = []
  const recorder = {
    rows: async (text: string, values: unknown[]) => {
      seen.push({ text, values: values.map((value) => (typeof value === 'bigint' ? String(value) : value)) })
      return []
    },
  } as unknown as Database
  const query = createNftQuery({ db: recorder })
  const options: PageOptions = {
    state,
    address: contract,
    range: { from: null, to: null },
    after: null,
    limit: 100,
    hex: false,
    normalized: false,
    media: false,
  }
  for (const hash of after) await query.page({ ...options, after: hash })
  if (seen.length !== after.length) throw new Error('a page is no longer one statement')
  return seen
}

const pages = await statements()
const clients = await Promise.all(
  Array.from({ length: connections }, async () => {
    const client = new pg.Client(connection)
    await client.connect()
    return client
  }),
)
process.on('message', () => void run().then(answer))
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => process.exit(0))
answer('ready')

async function run(): Promise<PagePeerResult> {
  const times: number[] = []
  const warm = performance.now() + 500
  const end = warm + seconds * 1_000
  let turn = 0
  await Promise.all(
    clients.map(async (client) => {
      for (;;) {
        const sentAt = performance.now()
        if (sentAt >= end) return
        const { text, values } = pages[turn++ % pages.length]!
        const { rows } = await client.query({ name: 'page', text, values, rowMode: 'array' })
        if (!rows[0]?.[0]) throw new Error('an empty page')
        const now = performance.now()
        if (sentAt >= warm && now < end) times.push(now - sentAt)
      }
    }),
  )
  return { perSecond: times.length / seconds, medianMs: median(times) }
}
