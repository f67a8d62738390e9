import type { KeyObject } from 'node:crypto'
import type { Sql } from '../../db/database.ts'
import type { WebhookHeaders } from '../definition/webhookHeaders.ts'
import type { DeliveryMode } from '../demand.ts'
import { urlHash } from '../ledger/urlHash.ts'
import { webhookKey } from '../sign/webhookSecret.ts'
import { streamPartition } from '../streamPartition.ts'

/** Where the webhooks of a stream go, and what signs them. */
export type Target = {
  partition: number
  streamId: string
  /** Only those of an active stream are sent. */
  status: 'active' | 'paused' | 'error' | 'terminated'
  delivery: DeliveryMode
  url: string
  urlHash: Buffer
  /** The stream's own secret first, then previous ones that still sign. */
  keys: readonly KeyObject[]
  /** The stream's own, beside ours; undefined: none. Secrets. */
  headers: WebhookHeaders | undefined
  /** Bodies are compressed. */
  gzip: boolean
}

type TargetRow = [
  number,
  string,
  Target['status'],
  DeliveryMode,
  string,
  string,
  WebhookHeaders,
  boolean,
  string[] | null,
]

/** The targets of streams; those that are gone are missing. */
export async function readTargets(sql: Sql, streamIds: readonly string[], now: Date): Promise<Target[]> {
  const rows = await sql.rows<TargetRow>(
    `SELECT s.partition, s.id::text, s.status, s.delivery, s.webhook_url, s.webhook_secret, s.headers, s.gzip,
       (SELECT array_agg(o.secret ORDER BY o.expires_at DESC) FROM webhook_secret o
        WHERE o.partition = s.partition AND o.stream_id = s.id AND o.expires_at > $2)
     FROM unnest($1::uuid[], $3::smallint[]) AS v (id, partition) JOIN stream s ON s.partition = v.partition AND s.id = v.id`,
    [streamIds, now, streamIds.map(streamPartition)],
  )
  return rows.map(([partition, streamId, status, delivery, url, secret, headers, gzip, previous]) => ({
    partition,
    streamId,
    status,
    delivery,
    url,
    urlHash: urlHash(url),
    keys: [secret, ...(previous ?? []).filter((old) => old !== secret)].map(webhookKey),
    headers: orNone(headers),
    gzip,
  }))
}

/** Most streams have none: then nothing is copied for an attempt. */
export function orNone(headers: WebhookHeaders): WebhookHeaders | undefined {
  return Object.keys(headers).length > 0 ? headers : undefined
}
