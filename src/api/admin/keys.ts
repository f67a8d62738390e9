import { z } from 'zod'
import { type ApiKey, isSeen, type KeyStatus, keyBounds, type NewKey } from '../../db/keys.ts'
import type { FoundPage } from '../pages/filteredList.ts'

/** API keys in the database, without the configured key (`apiKey`). */
export type AdminKeys = {
  /** Oldest first. Status null: includes revoked keys. */
  list(options: { status: KeyStatus | null; after: bigint | null; limit: number }): Promise<FoundPage<ApiKey, string>>
  /** `key`: the key itself, which is not stored. */
  create(options: NewKey): Promise<ApiKey & { key: string }>
  /** undefined: the key does not exist or was already revoked. */
  revoke(id: bigint): Promise<ApiKey | undefined>
}

const access = z
  .enum(['read', 'admin'])
  .meta({ description: 'read: the key may read data; admin: it may do everything.', examples: ['read'] })

const time = z.iso.datetime()

export const keySchema = z
  .object({
    id: z
      .string()
      .regex(/^\d+$/)
      .meta({ description: 'Id of the key.', examples: ['3'] }),
    name: z.string().meta({ description: 'What the key is for.', examples: ['shop'] }),
    access,
    requestsPerSecond: z
      .number()
      .positive()
      .nullable()
      .describe('Average requests per second of the key; null: rateLimit of the configuration.'),
    burst: z
      .int()
      .min(1)
      .nullable()
      .describe('Burst size of the key, in requests; null: rateLimit of the configuration.'),
    createdAt: time.describe('When the key was created.'),
    lastUsedAt: time.nullable().describe('When a request last came with the key, to the minute; null: never.'),
    revokedAt: time.nullable().describe('When the key was revoked; null: it is valid.'),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without its text.' })

export const createdKeySchema = keySchema
  .extend({
    key: z.string().meta({ description: 'Text of the key, mm_…: shown here and never again.', examples: ['mm_4q…'] }),
  })
  .meta({ id: 'CreatedApiKey', description: 'A new API key, with its text.' })

export const createKeySchema = z
  .object({
    name: z
      .string()
      .min(1, { abort: true })
      .max(keyBounds.nameLength)
      .refine(isSeen, 'has no visible character; allowed: text with at least one')
      .describe('What the key is for.'),
    access: access.nullish().describe('Access of the key; default: read.'),
    requestsPerSecond: z
      .number()
      .positive()
      .max(keyBounds.requestsPerSecond)
      .nullish()
      .describe("The key's own rate limit; omitted: the configuration's."),
    burst: z.int().min(1).max(keyBounds.burst).nullish().describe("The key's own burst; omitted: the configuration's."),
  })
  .meta({
    id: 'CreateApiKey',
    description: 'A key to create.',
    examples: [{ name: 'shop', access: 'read', requestsPerSecond: 50, burst: 100 }],
  })

/** A key as answers show it. */
export function shownKey(key: ApiKey) {
  const { id, name, access, requestsPerSecond, burst, createdAt, lastUsedAt, revokedAt } = key
  return { id: String(id), name, access, requestsPerSecond, burst, createdAt, lastUsedAt, revokedAt }
}
