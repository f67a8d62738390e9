import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { Pool } from 'undici'
import { answer, childInput, peakMegabytes } from './child.ts'
import { transferSingleTopic, transferTopic } from './syntheticLogs.ts'

/** The baseline: the least work that stores the same logs. It does not validate, resume, follow or serve anything. */
export type HistoryPeerInput = {
  connection: { host: string; port: number; user: string; database: string; password?: string }
  url: string
  contract: string
  /** true: merges TransferSingle of an ERC-1155 into amounts and balances; false: merges transfers of an ERC-721 into owners. */
  multiple: boolean
  from: number
  to: number
  width: number
  /** Concurrent requests for ranges. */
  inFlight: number
  /** Concurrent merges; each has its own staging table. */
  connections: number
}
export type HistoryPeerAnswer = { seconds: number; logs: number; megabytes: number }

type Log = {
  topics: [string, string, string, string]
  data: string
  blockNumber: string
  logIndex: string
  transactionHash: string
}

const { connection, url, contract, multiple, from, to, width, inFlight, connections } = childInput<HistoryPeerInput>()
const node = new Pool(url, { connections: inFlight })
const clients = await Promise.all(
  Array.from({ length: connections }, async () => {
    const client = new pg.Client(connection)
    await client.connect()
    return client
  }),
)
await clients[0]!.query(`
  CREATE TABLE bare_owner (token_id numeric(78, 0) PRIMARY KEY, owner bytea NOT NULL, position bigint NOT NULL);
  CREATE TABLE bare_token (token_id numeric(78, 0) PRIMARY KEY, amount numeric NOT NULL);
  CREATE TABLE bare_balance (token_id numeric(78, 0), holder bytea, amount numeric NOT NULL, PRIMARY KEY (token_id, holder));
  CREATE TABLE bare_transfer (position bigint PRIMARY KEY, token_id numeric(78, 0) NOT NULL, from_address bytea NOT NULL,
    to_address bytea NOT NULL, amount numeric NOT NULL, transaction_hash bytea NOT NULL);
`)
for (const client of clients)
  await client.query('CREATE TEMP TABLE staged (LIKE bare_transfer INCLUDING DEFAULTS) ON COMMIT DELETE ROWS')

async function fetchLogs(first: number, last: number): Promise<Log[]> {
  const filter = {
    address: contract,
    topics: [multiple ? transferSingleTopic : transferTopic],
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
  for (const { topics, data, blockNumber, logIndex, transactionHash } of logs) {
    const position = Number.parseInt(blockNumber, 16) * 16_777_216 + Number.parseInt(logIndex, 16)
    const [sender, receiver] = multiple ? [topics[2], topics[3]] : [topics[1], topics[2]]
    const token = BigInt(multiple ? data.slice(0, 66) : topics[3])
    const amount = multiple ? BigInt(`0x${data.slice(66)}`) : 1
    text += `${position}\t${token}\t\\\\x${sender.slice(26)}\t\\\\x${receiver.slice(26)}\t${amount}\t\\\\x${transactionHash.slice(2)}\n`
  }
  return text
}

const nobody = `'\\x${'00'.repeat(20)}'`

/** Merges write rows in key order, so that two of them wait for each other and never deadlock. */
const merges = multiple
  ? [
      `INSERT INTO bare_token
       SELECT token_id, sum(CASE WHEN from_address = ${nobody} THEN amount ELSE 0 END - CASE WHEN to_address = ${nobody} THEN amount ELSE 0 END)
       FROM staged GROUP BY token_id ORDER BY token_id
       ON CONFLICT (token_id) DO UPDATE SET amount = bare_token.amount + excluded.amount`,
      `INSERT INTO bare_balance
       SELECT token_id, holder, sum(amount) FROM (
         SELECT token_id, to_address AS holder, amount FROM staged UNION ALL SELECT token_id, from_address, -amount FROM staged
       ) moved WHERE holder <> ${nobody} GROUP BY token_id, holder ORDER BY token_id, holder
       ON CONFLICT (token_id, holder) DO UPDATE SET amount = bare_balance.amount + excluded.amount`,
    ]
  : [
      `INSERT INTO bare_owner
       SELECT DISTINCT ON (token_id) token_id, to_address, position FROM staged ORDER BY token_id, position DESC
       ON CONFLICT (token_id) DO UPDATE SET owner = excluded.owner, position = excluded.position
       WHERE bare_owner.position < excluded.position`,
    ]

async function store(client: pg.Client, logs: Log[]): Promise<void> {
  await client.query('BEGIN')
  await pipeline(Readable.from([copyText(logs)]), client.query(copyFrom('COPY staged FROM STDIN')))
  await client.query('INSERT INTO bare_transfer SELECT * FROM staged')
  for (const merge of merges) await client.query(merge)
  await client.query('COMMIT')
}

const started = performance.now()
let next = from
let stored = 0
const rounds = clients.map(() => Promise.resolve())
await Promise.all(
  Array.from({ length: inFlight }, async (_, worker) => {
    const round = worker % connections
    while (next <= to) {
      const first = next
      next += width
      const logs = await fetchLogs(first, Math.min(first + width - 1, to))
      rounds[round] = rounds[round]!.then(() => store(clients[round]!, logs))
      await rounds[round]
      stored += logs.length
    }
  }),
)
const seconds = (performance.now() - started) / 1_000
await Promise.all(clients.map((client) => client.end()))
await node.close()
answer({ seconds, logs: stored, megabytes: peakMegabytes(process.pid) } satisfies HistoryPeerAnswer)
process.disconnect?.()
