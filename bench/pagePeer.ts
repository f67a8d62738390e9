import pg from 'pg'
import { createDatabase, type Sql } from '../src/db/database.ts'
import { bytesOf } from '../src/db/pipeline/byteRows.ts'
import { createNftQuery } from '../src/nft/pages/createNftQuery.ts'
import type { PageOptions } from '../src/nft/query.ts'
import { noopLog } from '../src/util/log.ts'
import { answer, childInput } from './child.ts'
import { median } from './figure.ts'
import type { SocketConnection } from './temporaryPostgres.ts'

/** The baseline client: the product's own statement of a page, with the parameters of the same pages, over as many connections. */
export type PagePeerInput = {
  connection: SocketConnection
  chainId: string
  contract: `0x${string}`
  connections: number
  seconds: number
  /** Joins the texts of a page and makes bytes of them; otherwise the texts are not used. */
  joins?: boolean
  normalized?: boolean
  media?: boolean
}
/** The first message to the peer: for each page the last token hash of the page before. It is too long for an argument. */
export type PagePeerPages = string[]
export type PagePeerResult = { perSecond: number; medianMs: number }

type Statement = { text: string; values: unknown[] }

const { connection, chainId, contract, connections, seconds, ...requested } = childInput<PagePeerInput>()
const { joins = false, normalized = false, media = false } = requested
const after = await new Promise<PagePeerPages>((resolve) => process.once('message', resolve))

/** Returns the statements of pages. The first turn also counts the traits, so only the second one is used. */
async function statements(): Promise<Statement[]> {
  const db = createDatabase({ connection, poolSize: 1, log: noopLog })
  const seen: Statement[] = []
  const recorder: Sql = {
    run: db.run,
    async rows<T extends unknown[]>(text: string, values: unknown[] = []) {
      seen.push({ text, values: values.map((value) => (typeof value === 'bigint' ? String(value) : value)) })
      return db.rows<T>(text, values)
    },
  }
  const query = createNftQuery({ db, reader: { ...recorder, ...bytesOf(recorder) } })
  const state = await query.state(BigInt(chainId), contract)
  if (!state) throw new Error('the collection is not stored')
  const range = { from: null, to: null }
  const options: PageOptions = {
    state,
    address: contract,
    range,
    after: null,
    limit: 100,
    hex: false,
    normalized,
    media,
  }
  for (let round = 0; round < 2; round++) {
    seen.length = 0
    for (const hash of after) await query.page({ ...options, after: hash })
  }
  await db.close()
  if (seen.length !== after.length) throw new Error('a page is no longer one statement')
  return seen
}

/** Joins the metadata of tokens, in the order of their hashes. */
function join([, , , ...texts]: (string | null)[]): Buffer {
  const documents = texts.slice(0, 3).map((text) => text?.split('\x1e') ?? [])
  const records = documents[0]!.map((_, i) => documents.map((column) => column[i] ?? 'null').join(','))
  return Buffer.from(`[{${records.join('},{')}}]`)
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
  let round = 0
  await Promise.all(
    clients.map(async (client) => {
      for (;;) {
        const sentAt = performance.now()
        if (sentAt >= end) return
        const { text, values } = pages[round++ % pages.length]!
        const { rows } = await client.query({ name: 'page', text, values, rowMode: 'array' })
        if (!rows[0]?.[0] || (joins && join(rows[0] as (string | null)[]).length === 0))
          throw new Error('an empty page')
        const now = performance.now()
        if (sentAt >= warm && now < end) times.push(now - sentAt)
      }
    }),
  )
  return { perSecond: times.length / seconds, medianMs: median(times) }
}
