import type { KeyObject } from 'node:crypto'
import type { Sql } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { streamPartition } from '../../../sync/partition.ts'
import type { WebhookHeaders } from '../../definition/webhookHeaders.ts'
import type { DeliveryMode } from '../../demand.ts'
import { urlHash } from '../../ledger/urlHash.ts'
import { webhookKey } from '../../sign/webhookSecret.ts'

/** The receiver of a stream's webhooks: its URL, keys and headers. */
export type Target = {
  partition: number
  streamId: string
  /** Webhooks are sent only for active streams, probes only for streams in error. */
  status: 'active' | 'paused' | 'error' | 'terminated'
  delivery: DeliveryMode
  url: string
  urlHash: Buffer
  /** The current secret first, then previous ones that still sign. */
  keys: readonly KeyObject[]
  /** Additional headers of the stream's owner; undefined: none. Their values are secrets. */
  headers: WebhookHeaders | undefined
  /** Whether bodies are compressed. */
  gzip: boolean
}

/** A row of `readTargets`; `s` is the table `stream`, $2 the time. */
const targetRow = defineRow({
  partition: column.int2('s.partition'),
  streamId: column.uuid('s.id'),
  status: column.text<Target['status']>('s.status'),
  delivery: column.text<DeliveryMode>('s.delivery'),
  url: column.text('s.webhook_url'),
  secret: column.text('s.webhook_secret'),
  /** Previous secrets that still sign, latest first. */
  previousSecrets: column
    .textArray(
      `(SELECT array_agg(o.secret ORDER BY o.expires_at DESC) FROM webhook_secret o
        WHERE o.partition = s.partition AND o.stream_id = s.id AND o.expires_at > $2)`,
    )
    .orNull(),
  headers: column.jsonb<WebhookHeaders>('s.headers'),
  gzip: column.bool('s.gzip'),
})

/** Targets of streams, except deleted ones. */
export async function readTargets(sql: Sql, streamIds: readonly string[], now: Date): Promise<Target[]> {
  const rows = await sql.rows(
    `SELECT ${targetRow.columns}
     FROM unnest($1::uuid[], $3::smallint[]) AS v (id, partition) JOIN stream s ON s.partition = v.partition AND s.id = v.id`,
    [streamIds, now, streamIds.map(streamPartition)],
  )
  return rows.map(targetRow.decode).map(({ secret, previousSecrets, headers, ...target }) => ({
    ...target,
    urlHash: urlHash(target.url),
    keys: [secret, ...(previousSecrets ?? []).filter((old) => old !== secret)].map(webhookKey),
    headers: orNone(headers),
  }))
}

/** The headers, or undefined if there are none, which saves most attempts a copy. */
export function orNone(headers: WebhookHeaders): WebhookHeaders | undefined {
  return Object.keys(headers).length > 0 ? headers : undefined
}
