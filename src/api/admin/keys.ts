import { z } from 'zod'
import { type ApiKey, isSeen, type KeyStatus, keyBounds, type NewKey } from '../../db/keys.ts'
import type { FoundPage } from '../pages/filteredList.ts'

/** The API keys that the database keeps. The configuration's own is none of them. */
export type AdminKeys = {
  /** Oldest first. Status null: the revoked ones too. */
  list(options: { status: KeyStatus | null; after: bigint | null; limit: number }): Promise<FoundPage<ApiKey, string>>
  /** `key`: its text, which is kept nowhere. */
  create(options: NewKey): Promise<ApiKey & { key: string }>
  /** undefined: there is no such key, or it was revoked before. */
  revoke(id: bigint): Promise<ApiKey | undefined>
}

const access = z
  .enum(['read', 'admin'])
  .meta({ description: 'read: what asks for records; admin: everything.', examples: ['read'] })

const time = z.iso.datetime()

export const keySchema = z
  .object({
    id: z
      .string()
      .regex(/^\d+$/)
      .meta({ description: 'The key.', examples: ['3'] }),
    name: z.string().meta({ description: 'What it is for.', examples: ['shop'] }),
    access,
    requestsPerSecond: z
      .number()
      .positive()
      .nullable()
      .describe('Requests a second that it may make on average; null: as rateLimit of the configuration says.'),
    burst: z
      .int()
      .min(1)
      .nullable()
      .describe('Requests that it may make at once after a rest; null: as rateLimit of the configuration says.'),
    createdAt: time.describe('When it was made.'),
    lastUsedAt: time.nullable().describe('When a request came with it last, to the minute; null: never.'),
    revokedAt: time.nullable().describe('When it was revoked; null: it is valid.'),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without its text.' })

export const createdKeySchema = keySchema
  .extend({
    key: z.string().meta({ description: 'Its text, mm_…: shown here and never again.', examples: ['mm_4q…'] }),
  })
  .meta({ id: 'CreatedApiKey', description: 'A new API key, with its text.' })

export const createKeySchema = z
  .object({
    name: z
      .string()
      .min(1, { abort: true })
      .max(keyBounds.nameLength)
      .refine(isSeen, 'shows nothing; allowed: text of which something is seen')
      .describe('What it is for.'),
    access: access.nullish().describe('What it may do; read where it is left out.'),
    requestsPerSecond: z
      .number()
      .positive()
      .max(keyBounds.requestsPerSecond)
      .nullish()
      .describe("Its own rate limit; left out: the configuration's."),
    burst: z.int().min(1).max(keyBounds.burst).nullish().describe("Its own burst; left out: the configuration's."),
  })
  .meta({
    id: 'CreateApiKey',
    description: 'What a key is made with.',
    examples: [{ name: 'shop', access: 'read', requestsPerSecond: 50, burst: 100 }],
  })

/** A key as answers give it. */
export function shownKey(key: ApiKey) {
  const { id, name, access, requestsPerSecond, burst, createdAt, lastUsedAt, revokedAt } = key
  return { id: String(id), name, access, requestsPerSecond, burst, createdAt, lastUsedAt, revokedAt }
}
