import type { IncomingHttpHeaders } from 'node:http'
import type { Sql } from '../../db/database.ts'
import { isConnectionError } from '../../db/databaseError.ts'
import { readSettings } from '../../stream/settings/streamSettings.ts'
import { legacySignature } from '../../stream/sign/signWebhook.ts'
import { verifyWebhook, WebhookVerificationError } from '../../webhook.ts'

/** Secrets to verify signatures with, from the command line or the server's database. */
export type Secrets = {
  /**
   * Secrets of a stream; empty if it is unknown. An empty id returns those of the 1,000 most recently changed streams.
   */
  webhookSecrets(streamId: string): Promise<string[]>
  secretKey(): Promise<string | undefined>
  /** true: unknown secrets may appear later, as streams are created meanwhile. */
  growing: boolean
}

export type Verdict = 'right' | 'wrong' | 'unknown secret'

export type Verdicts = { legacy: Verdict; standard: Verdict; reason: string | undefined }

/** Checks both signatures of a request. */
export async function checkSignatures(
  request: { body: string; headers: IncomingHttpHeaders; streamId: string },
  secrets: Secrets,
): Promise<Verdicts> {
  const { body, headers, streamId } = request
  const key = await secrets.secretKey()
  const legacy = key === undefined ? undefined : headers['x-signature'] === legacySignature(body, key)
  const own = await secrets.webhookSecrets(streamId)
  let reason: string | undefined
  let standard: boolean | undefined
  if (own.length > 0)
    try {
      verifyWebhook(body, headers, own)
      standard = true
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error
      // The test webhook precedes the storage of its stream and secret. Until then only `x-signature` proves the
      // sender.
      standard = streamId === '' && error.fault === 'signature' ? undefined : false
      reason = error.message
    }
  return { legacy: verdict(legacy), standard: verdict(standard), reason: standard === false ? reason : undefined }
}

function verdict(right: boolean | undefined): Verdict {
  if (right === undefined) return 'unknown secret'
  return right ? 'right' : 'wrong'
}

/** Returns no secrets while the database is unreachable. */
export function databaseSecrets(sql: Sql): Secrets {
  return {
    async webhookSecrets(streamId) {
      const known = /^[0-9a-f-]{36}$/.test(streamId)
      const rows = await unlessUnreachable(
        sql.rows<[string]>(
          'SELECT webhook_secret FROM stream WHERE $1::uuid IS NULL OR id = $1 ORDER BY updated_at DESC LIMIT 1000',
          [known ? streamId : null],
        ),
      )
      return rows?.map(([secret]) => secret) ?? []
    },
    secretKey: async () => (await unlessUnreachable(readSettings(sql)))?.secretKey,
    growing: true,
  }
}

async function unlessUnreachable<T>(requested: Promise<T>): Promise<T | undefined> {
  try {
    return await requested
  } catch (error) {
    if (isConnectionError(error)) return undefined
    throw error
  }
}

export function givenSecrets(given: { secret: readonly string[]; secretKey?: string | undefined }): Secrets {
  return {
    webhookSecrets: async () => [...given.secret],
    secretKey: async () => given.secretKey,
    growing: false,
  }
}
