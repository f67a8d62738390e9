import { randomUUID } from 'node:crypto'
import type { Sql } from '../../../db/database.ts'
import type { GuardedClient } from '../../../net/client.ts'
import type { TestOutcome } from '../../definition/createStreamDemand.ts'
import type { StreamRow } from '../../definition/streamStore.ts'
import { urlHash } from '../../ledger/urlHash.ts'
import { emptyLists } from '../../ledger/webhookBody.ts'
import { readSettings } from '../../settings/streamSettings.ts'
import { webhookKey } from '../../sign/webhookSecret.ts'
import { type AttemptResult, createAttempt } from './createAttempt.ts'
import { orNone, readTargets } from './target.ts'

/** A test webhook with the result of its attempt. */
export type SentTest = Pick<AttemptResult, 'at' | 'ms' | 'outcome'> & {
  /** The header webhook-id. */
  webhookId: string
}

export type SendTestOptions = {
  db: Sql
  client: Pick<GuardedClient, 'post'>
  settings: { timeoutMs: number }
}

/** Body of the test webhook: all texts and lists are empty. */
export const testBody = JSON.stringify({
  confirmed: true,
  chainId: '',
  abi: [],
  streamId: '',
  tag: '',
  retries: 0,
  block: { number: '', hash: '', timestamp: '' },
  ...emptyLists,
})

/**
 * Sends the test webhook to the address of a stream, once. It is signed like all webhooks of the stream, including
 * previous secrets that still sign. Neither ledger nor counters contain it.
 */
export async function sendTestWebhook(
  stream: Pick<StreamRow, 'id' | 'partition' | 'webhookUrl' | 'webhookSecret' | 'headers' | 'gzip'>,
  { db, client, settings }: SendTestOptions,
): Promise<SentTest> {
  const { secretKey } = await readSettings(db)
  // A new stream is not stored yet. For a stored one, the tested change may have another secret.
  const [stored] = await readTargets(db, [stream.id], new Date())
  const key = webhookKey(stream.webhookSecret)
  const attempt = createAttempt({
    client,
    clock: Date.now,
    random: () => 0,
    secretKey: () => secretKey,
    settings: { ...settings, retryDelaysMs: [], postponeForMs: 0 },
  })
  const webhookId = randomUUID()
  const made = await attempt(
    {
      chainId: 0n,
      position: 0n,
      replay: 0,
      id: webhookId,
      failures: 0,
      postponed: 0,
      firstAt: undefined,
      retraction: false,
      part: 1,
      parts: 1,
      body: testBody,
    },
    {
      partition: stream.partition,
      streamId: stream.id,
      status: 'active',
      delivery: 'ordered',
      url: stream.webhookUrl,
      urlHash: urlHash(stream.webhookUrl),
      keys: [key, ...(stored?.keys ?? []).filter((other) => !other.equals(key))],
      headers: orNone(stream.headers),
      gzip: stream.gzip,
    },
    // Ends only by its own timeout.
    { maySend: () => true, signal: new AbortController().signal },
  )
  const { at, ms, outcome } = made!
  return { webhookId, at, ms, outcome }
}

/** Whether the receiver answered the test webhook with a 2xx. */
export function testOutcome({ outcome }: SentTest): TestOutcome {
  return outcome.status === 'delivered' ? { ok: true } : { ok: false, reason: outcome.error }
}
