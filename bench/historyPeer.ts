import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { Pool } from 'undici'
import { answer, childInput, peakMegabytes } from './child.ts'
import { transferTopic } from './syntheticLogs.ts'

/** The bare merge: the least that stores the same logs. Nothing is checked, resumed, followed or shown. */
export type HistoryPeerInput = {
  connection: { host: string; port: number; user: string; database: string; password?: string }
  url: string
  contract: string
  from: number
  to: number
  width: number
  /** Ranges fetched at once. */
  inFlight: number
  /** Merges at once, each with a staging table of its own. */
  connections: number
}
export type HistoryPeerAnswer = { seconds: number; logs: number; megabytes: number }

type Log = { topics: [string, string, string, string]; blockNumber: string; logIndex: string; transactionHash: string }

const { connection, url, contract, from, to, width, inFlight, connections } = childInput<HistoryPeerInput>()
const node = new Pool(url, { connections: inFlight })
const clients = await Promise.all(
  Array.from({ length: connections }, async () => {
    const client = new pg.Client(connection)
    await client.connect()
    return client
  }),
)
await clients[0]!.query(`
  DROP TABLE IF EXISTS bare_owner, bare_transfer;
  CREATE TABLE bare_owner (token_id numeric(78, 0) PRIMARY KEY, owner bytea NOT NULL, position bigint NOT NULL);
  CREATE TABLE bare_transfer (position bigint PRIMARY KEY, token_id numeric(78, 0) NOT NULL, from_address bytea NOT NULL,
    to_address bytea NOT NULL, transaction_hash bytea NOT NULL);
`)
for (const client of clients)
  await client.query('CREATE TEMP TABLE staged (LIKE bare_transfer INCLUDING DEFAULTS) ON COMMIT DELETE ROWS')

async function fetchLogs(first: number, last: number): Promise<Log[]> {
  const filter = {
    address: contract,
    topics: [transferTopic],
    fromBlock: `0x${first.toString(16)}`,
    toBlock: `0x${last.toString(16)}`,
  }
  const { body } = await node.request({
    path: '/',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [filter] }),
  })
  return (JSON.parse(await body.text()) as { result: Log[] }).result
}

function copyText(logs: Log[]): string {
  let text = ''
  for (const { topics, blockNumber, logIndex, transactionHash } of logs) {
    const position = Number.parseInt(blockNumber, 16) * 16_777_216 + Number.parseInt(logIndex, 16)
    text += `${position}\t${BigInt(topics[3])}\t\\\\x${topics[1].slice(26)}\t\\\\x${topics[2].slice(26)}\t\\\\x${transactionHash.slice(2)}\n`
  }
  return text
}

async function store(client: pg.Client, logs: Log[]): Promise<void> {
  await client.query('BEGIN')
  await pipeline(Readable.from([copyText(logs)]), client.query(copyFrom('COPY staged FROM STDIN')))
  await client.query('INSERT INTO bare_transfer SELECT * FROM staged')
  // In order of the key, so that two merges wait for each other and never deadlock.
  await client.query(`
    INSERT INTO bare_owner
    SELECT DISTINCT ON (token_id) token_id, to_address, position FROM staged ORDER BY token_id, position DESC
    ON CONFLICT (token_id) DO UPDATE SET owner = excluded.owner, position = excluded.position
    WHERE bare_owner.position < excluded.position`)
  await client.query('COMMIT')
}

const started = performance.now()
let next = from
let stored = 0
const turns = clients.map(() => Promise.resolve())
await Promise.all(
  Array.from({ length: inFlight }, async (_, worker) => {
    const turn = worker % connections
    while (next <= to) {
      const first = next
      next += width
      const logs = await fetchLogs(first, Math.min(first + width - 1, to))
      turns[turn] = turns[turn]!.then(() => store(clients[turn]!, logs))
      await turns[turn]
      stored += logs.length
    }
  }),
)
const seconds = (performance.now() - started) / 1_000
await Promise.all(clients.map((client) => client.end()))
await node.close()
answer({ seconds, logs: stored, megabytes: peakMegabytes(process.pid) } satisfies HistoryPeerAnswer)
process.disconnect?.()
