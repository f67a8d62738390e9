import type { Database } from '../src/db/database.ts'
import { partitionCount } from '../src/sync/partition.ts'
import type { BenchStream } from './webhookRows.ts'

/** Bytes that a million rows of each kind take, with their indexes. */
export type BytesPerMillion = { tokens: number; webhooks: number }

const record =
  '"token_uri":"ipfs://QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq/1","metadata":null,"last_token_uri_sync":"2026-01-31T12:00:00.000Z","last_metadata_sync":"2026-01-31T12:00:01.000Z"'

/** The webhook's text, as short as one of a single transfer. */
const body = `'{"confirmed":true,"chainId":"0x1","abi":[],"streamId":"","tag":"","retries":0,"block":{"number":"' || n || '"},"logs":[{"address":"0x${'cd'.repeat(20)}","topic0":"0x' || md5(n::text) || md5('a' || n) || '","topic1":"0x' || md5('b' || n) || md5('c' || n) || '"}]}'`

/**
 * Adds tokens with metadata to a collection that is live, and delivered webhooks with an attempt each to a stream of every partition, as
 * indexing and delivering leave them. The server makes the rows, a slice a transaction.
 */
export async function seedSizes(
  db: Database,
  options: { collectionId: bigint; tokens: number; streams: readonly BenchStream[]; webhooks: number },
): Promise<BytesPerMillion> {
  const { collectionId, tokens, streams, webhooks } = options
  const before = await sizes(db)
  const slice = 250_000
  for (let from = 0; from < tokens; from += slice) {
    const numbers = `generate_series(${from}, ${Math.min(tokens, from + slice) - 1}) n`
    await db.transaction(async (tx) =>
      tx.script(
        `SET LOCAL synchronous_commit = off;
         INSERT INTO token (partition, collection_id, token_hash, token_id, owner, minter, last_position, first_position, amount, holders)
         SELECT c.partition, c.id, md5('seeded' || n)::uuid, 1000000 + n, substring(sha256(n::text::bytea) FOR 20), substring(sha256(n::text::bytea) FOR 20), 1048576, 1048576, 1, 1
         FROM collection c, ${numbers} WHERE c.id = ${collectionId};
         INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, tried_at, record)
         SELECT c.partition, c.id, md5('seeded' || n)::uuid, 'ok', 0, now(), '${record}' FROM collection c, ${numbers} WHERE c.id = ${collectionId}`,
      ),
    )
  }
  await db.run('UPDATE collection SET tokens = tokens + $2 WHERE id = $1', [collectionId, tokens])
  await db.run(`CREATE TABLE bench_stream (n int PRIMARY KEY, partition smallint NOT NULL, id uuid NOT NULL)`)
  await db.run(
    'INSERT INTO bench_stream SELECT o - 1, p, i FROM unnest($1::smallint[], $2::uuid[]) WITH ORDINALITY AS v (p, i, o)',
    [streams.map(({ partition }) => partition), streams.map(({ id }) => id)],
  )
  for (let from = 0; from < webhooks; from += slice)
    await db.transaction(async (tx) =>
      tx.script(
        `SET LOCAL synchronous_commit = off;
         CREATE TEMPORARY TABLE made ON COMMIT DROP AS
         SELECT v.n, nextval('webhook_position') AS position, s.partition, s.id AS stream_id
         FROM generate_series(${from}, ${Math.min(webhooks, from + slice) - 1}) v (n) JOIN bench_stream s ON s.n = v.n % ${streams.length};
         INSERT INTO webhook (partition, position, stream_id, chain_id, block_number, block_hash, kind, id, flips, live, logs, txs, txs_internal, status, created_at)
         SELECT partition, position, stream_id, 1, n, sha256(n::text::bytea), 'confirmed', md5(n::text)::uuid, 0, false, 1, 0, 0, 'delivered', now() FROM made;
         INSERT INTO webhook_text (partition, position, body) SELECT partition, position, ${body} FROM made;
         INSERT INTO webhook_attempt (partition, position, replay, number, stream_id, url_hash, at, ms, delivered, code)
         SELECT partition, position, 0, 1, stream_id, '\\x00', now(), 1, true, 200 FROM made`,
      ),
    )
  await db.run(
    `INSERT INTO webhook_matched (partition, stream_id, chain_id, matched, logs, updated_at)
     SELECT partition, stream_id, 1, count(*), count(*), now() FROM webhook GROUP BY 1, 2`,
  )
  await db.run(
    `INSERT INTO webhook_delivered (partition, stream_id, delivered, attempts, created_at, updated_at)
     SELECT partition, stream_id, count(*), count(*), now(), now() FROM webhook GROUP BY 1, 2`,
  )
  for (const table of ['token', 'token_metadata', 'webhook', 'webhook_text', 'webhook_attempt'])
    await db.run(`VACUUM ANALYZE ${table}`)
  const after = await sizes(db)
  return {
    tokens: ((after.tokens - before.tokens) / tokens) * 1e6,
    webhooks: ((after.webhooks - before.webhooks) / webhooks) * 1e6,
  }
}

async function sizes(db: Database): Promise<BytesPerMillion> {
  const [row] = await db.rows<[bigint, bigint]>(
    `SELECT pg_total_relation_size('token') + pg_total_relation_size('token_metadata'),
       pg_total_relation_size('webhook') + pg_total_relation_size('webhook_text') + pg_total_relation_size('webhook_attempt')`,
  )
  return { tokens: Number(row![0]), webhooks: Number(row![1]) }
}

/** Streams that the seeded webhooks are spread over. */
export const seededStreams = partitionCount
