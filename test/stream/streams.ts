import { randomUUID } from 'node:crypto'
import type { Database } from '../../src/db/database.ts'
import type { NewWebhook } from '../../src/stream/ledger/newWebhook.ts'
import { openLedger } from '../../src/stream/ledger/streamState.ts'
import { emptyLists } from '../../src/stream/ledger/webhookBody.ts'
import { createWebhookSecret } from '../../src/stream/sign/webhookSecret.ts'
import { streamPartition } from '../../src/sync/partition.ts'
import type { Hex } from '../../src/util/hex.ts'

export const chainId = 31_337n

export type TestStream = { id: string; partition: number; url: string; secret: string; tag: string }

/** Stores streams directly, for tests of everything after matching. */
export async function insertStreams(db: Database, urls: readonly string[]): Promise<TestStream[]> {
  const streams = urls.map((url, i) => {
    const id = randomUUID()
    return { id, partition: streamPartition(id), url, secret: createWebhookSecret(), tag: `tag ${i}` }
  })
  await db.transaction(async (tx) => {
    await tx.run(
      `INSERT INTO stream (partition, id, status, webhook_url, webhook_secret, description, tag, chain_ids, definition)
       SELECT *, '{31337}', '{"topic0":[],"abi":[],"advancedOptions":[],"getNativeBalances":[]}'
       FROM unnest($1::smallint[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])`,
      [
        streams.map((s) => s.partition),
        streams.map((s) => s.id),
        streams.map(() => 'active'),
        streams.map((s) => s.url),
        streams.map((s) => s.secret),
        streams.map(() => ''),
        streams.map((s) => s.tag),
      ],
    )
    for (const stream of streams) await openLedger(tx, stream)
  })
  return streams
}

export type WebhookOptions = {
  number: number
  kind?: NewWebhook['kind']
  fork?: number
  live?: boolean
  /** Number of extra characters in the body. */
  padding?: number
  part?: number
  parts?: number
}

export function testWebhook(stream: TestStream, options: WebhookOptions): NewWebhook {
  const { number, kind = 'unconfirmed', fork = 1, live = true, padding = 0, part = 1, parts = 1 } = options
  const blockHash: Hex = `0x${fork.toString(16).padStart(8, '0')}${number.toString(16).padStart(56, '0')}`
  return {
    partition: stream.partition,
    streamId: stream.id,
    chainId,
    blockNumber: BigInt(number),
    blockHash,
    kind,
    part,
    parts,
    counts: { logs: 1, txs: 2, txsInternal: 3 },
    live,
    body: JSON.stringify({
      confirmed: kind === 'confirmed',
      chainId: '0x7a69',
      abi: [],
      streamId: stream.id,
      tag: stream.tag,
      retries: 0,
      block: { number: String(number), hash: blockHash, timestamp: String(1_700_000_000 + number) },
      ...emptyLists,
      ...(padding > 0 && { padding: 'x'.repeat(padding) }),
    }),
  }
}

/** Unconfirmed webhooks of the blocks `from` to `to`. */
export function testWebhooks(stream: TestStream, from: number, to: number, options: Partial<WebhookOptions> = {}) {
  return Array.from({ length: to - from + 1 }, (_, i) => testWebhook(stream, { ...options, number: from + i }))
}

/** Every queued webhook has failed once, and waits for its retry. */
export async function failOnce(db: Database): Promise<void> {
  await db.run(`UPDATE webhook_queue SET failures = 1, first_at = now(), due_at = now() + interval '1 hour'`)
}
