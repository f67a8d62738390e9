import { hash as digestOf, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Sql } from '../db/database.ts'
import { type ApiKey, findKey, hashKey, type KeyAccess } from '../db/keys.ts'
import type { ApiConfig } from './apiConfig.ts'
import { createRateLimit, type RateLimit } from './rateLimit.ts'

/** Who asks. */
export type Key = {
  /** 0 for the configuration's own. */
  id: bigint
  access: KeyAccess
  /** null: asks as often as it likes. */
  rateLimit: RateLimit | null
}

/** What the two headers that can carry a key held. */
export type Credentials = { apiKey: string | undefined; authorization: string | undefined }

export type Keyring = {
  /** The key, where it was read less than a second ago; undefined: not known without asking the database. */
  known(credentials: Credentials): Key | undefined
  /** The key; undefined: there is none, it is unknown or revoked. */
  find(credentials: Credentials): Promise<Key | undefined>
}

/** How long a key is trusted, so that one revoked anywhere is refused everywhere within a second. */
const trustedMs = 900

/** Longer than any key that we give; what is longer is not worth a digest. */
const maxKeyLength = 1_024

type Seen = { key: Key | undefined; hash: Buffer; readAt: number }

/** Knows keys by their SHA-256 only: no text of a key outlives its request. */
export function createKeyring(options: {
  db: Sql
  config: Pick<ApiConfig, 'apiKey' | 'apiKeyRateLimit' | 'rateLimit'>
}): Keyring {
  const { db, config } = options
  const seen = new LRUCache<string, Seen>({ max: 10_000 })
  const reads = new Map<string, Promise<Key | undefined>>()
  const rateLimits = new LRUCache<string, RateLimit>({ max: 100_000 })
  const own: Seen | undefined =
    config.apiKey === null
      ? undefined
      : {
          key: {
            id: 0n,
            access: 'admin',
            rateLimit: config.apiKeyRateLimit && createRateLimit(config.apiKeyRateLimit),
          },
          hash: hashKey(config.apiKey),
          readAt: Number.POSITIVE_INFINITY,
        }

  /** A key whose figures were changed starts with a full bucket. */
  function rateLimitOf(key: ApiKey): RateLimit {
    const requestsPerSecond = key.requestsPerSecond ?? config.rateLimit.requestsPerSecond
    const burst = key.burst ?? config.rateLimit.burst
    const id = `${key.id}:${requestsPerSecond}:${burst}`
    let rateLimit = rateLimits.get(id)
    if (!rateLimit) {
      rateLimit = createRateLimit({ requestsPerSecond, burst })
      rateLimits.set(id, rateLimit)
    }
    return rateLimit
  }

  function recall(hash: Buffer, name: string): Seen | undefined {
    if (own && timingSafeEqual(own.hash, hash)) return own
    const entry = seen.get(name)
    return entry && performance.now() - entry.readAt < trustedMs && timingSafeEqual(entry.hash, hash)
      ? entry
      : undefined
  }

  async function read(hash: Buffer, name: string): Promise<Key | undefined> {
    const readAt = performance.now()
    const row = await findKey(db, hash)
    const key: Key | undefined = row && { id: row.id, access: row.access, rateLimit: rateLimitOf(row) }
    seen.set(name, { key, hash, readAt })
    return key
  }

  return {
    known(credentials) {
      const text = keyText(credentials)
      if (text === undefined) return undefined
      const hash = digestOf('sha256', text, 'buffer')
      return recall(hash, hash.toString('latin1'))?.key
    },
    async find(credentials) {
      const text = keyText(credentials)
      if (text === undefined) return undefined
      const hash = digestOf('sha256', text, 'buffer')
      const name = hash.toString('latin1')
      const entry = recall(hash, name)
      if (entry) return entry.key
      let reading = reads.get(name)
      if (!reading) {
        reading = read(hash, name).finally(() => reads.delete(name))
        reads.set(name, reading)
      }
      return reading
    },
  }
}

function keyText({ apiKey, authorization }: Credentials): string | undefined {
  const text = apiKey || (authorization && /^bearer +(\S+) *$/i.exec(authorization)?.[1])
  return text && text.length <= maxKeyLength ? text : undefined
}
