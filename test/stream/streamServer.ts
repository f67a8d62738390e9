import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ConfigInput } from '../../src/config/config.ts'
import type { Database } from '../../src/db/database.ts'
import type { EffectiveBlocks, StreamRecord } from '../../src/stream/demand.ts'
import { startTestServer, type TestServer, testApiKey } from '../mintmark.ts'
import { patienceMs } from '../patience.ts'

export type ChangedStream = StreamRecord & { effectiveBlocks: EffectiveBlocks }

export type StreamServer = StreamClient & {
  server: TestServer
  [Symbol.asyncDispose](): Promise<void>
}

/** A client of a running server and its database, whichever process it runs in. */
export type StreamClient = {
  db: Database
  /** Sends a request with a JSON body. Throws if the status is not 200. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  create(body: Record<string, unknown>): Promise<ChangedStream>
  add(id: string, address: string | readonly string[]): Promise<bigint>
  remove(id: string, address: string | readonly string[]): Promise<bigint>
  /** Waits until the server has followed the chain to this block. */
  untilFollowed(hash: string): Promise<void>
}

/** Accepts every webhook with a 204. */
export async function startTaker(): Promise<{ url: string; [Symbol.asyncDispose](): Promise<void> }> {
  const receiver = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(204).end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      receiver.closeAllConnections()
      await new Promise((resolve) => receiver.close(resolve))
    },
  }
}

/** The whole service on a chain `local` (0x7a69), with a receiver that accepts everything. */
export async function startStreamServer(rpc: string, config: Partial<ConfigInput> = {}): Promise<StreamServer> {
  const receiver = await startTaker()
  const server = await startTestServer({ rpc: [rpc], config: { outbound: { allow: ['127.0.0.1'] }, ...config } })
  return {
    ...createStreamClient({ url: server.url, db: server.database.db, receiverUrl: receiver.url }),
    server,
    async [Symbol.asyncDispose]() {
      await server.close()
      await receiver[Symbol.asyncDispose]()
    },
  }
}

export function createStreamClient(options: { url: string; db: Database; receiverUrl: string }): StreamClient {
  const { url, db, receiverUrl } = options

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(url + path, {
      method,
      headers: { 'x-api-key': testApiKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text) as T
  }
  const change = async (method: string, id: string, address: string | readonly string[]) => {
    const answer = await call<{ effectiveBlocks: EffectiveBlocks }>(method, `/streams/evm/${id}/address`, { address })
    return BigInt(answer.effectiveBlocks['0x7a69']!)
  }

  return {
    db,
    call,
    create: (body) =>
      call('PUT', '/streams/evm', {
        webhookUrl: receiverUrl,
        description: 'of a test',
        tag: 'test',
        chainIds: ['0x7a69'],
        ...body,
      }),
    add: (id, address) => change('POST', id, address),
    remove: (id, address) => change('DELETE', id, address),
    async untilFollowed(hash) {
      const deadline = performance.now() + patienceMs
      for (;;) {
        const [row] = await db.rows<[string | null, string | null, bigint]>(
          `SELECT '0x' || encode(block_hash, 'hex'), failure,
             (SELECT count(*) FROM stream_chain s JOIN stream t ON t.partition = s.partition AND t.id = s.stream_id
              WHERE s.state = 'history' AND t.status = 'active' AND (NOT waiting OR t.addresses > 0)) FROM chain`,
        )
        if (row?.[0] === hash && row[2] === 0n) return
        if (performance.now() > deadline)
          throw new Error(`not followed up to ${hash}: ${row?.[0]} ${row?.[1]}, ${row?.[2]} in history`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}

/** The members of a webhook's body that tests check. */
export type Body = {
  confirmed: boolean
  block: { number: string; hash: string; timestamp: string }
  logs: { transactionHash: string; logIndex: string }[]
  txs: { hash: string }[]
  txsInternal: { transactionHash: string; from: string; to: string; value: string }[]
} & Record<string, unknown>

/**
 * Bodies of a stream's webhooks that were not retracted, in block order. `first`: the first webhook of each block,
 * which is the confirmed one for blocks of history. `reported`: all of them.
 */
export async function keptBodies(
  { db }: StreamClient,
  streamId: string,
  kind: 'unconfirmed' | 'confirmed' | 'first' | 'reported',
): Promise<Body[]> {
  const rows = await db.rows<[body: string, kind: string, block: string]>(
    `SELECT body, kind, chain_id || ' ' || encode(block_hash, 'hex') FROM webhook JOIN webhook_body USING (partition, position)
     WHERE stream_id = $1 AND NOT retracted AND kind <> 'retraction' ORDER BY block_number, position`,
    [streamId],
  )
  const reported = new Set<string>()
  const requested = rows.filter(([, own, block]) => {
    const isFirst = !reported.has(block)
    reported.add(block)
    return kind === 'first' ? isFirst : kind === 'reported' || kind === own
  })
  return requested.map(([body]) => JSON.parse(body) as Body)
}
