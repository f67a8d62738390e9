import { hash as digestOf } from 'node:crypto'
import type { Sql } from '../../db/database.ts'
import { type ApiKey, findKeys, type KeyAccess, noteUse } from '../../db/keys.ts'
import { createLru } from '../../util/createLru.ts'
import type { ApiConfig } from './apiConfig.ts'
import { createAddressLimits } from './createAddressLimits.ts'
import { createBatches } from './createBatches.ts'
import { createRateLimit, type RateLimit } from './rateLimit.ts'

/** The key that a request came with. */
export type Key = {
  /** 0: the key of the configuration. */
  id: bigint
  access: KeyAccess
  /** null: no limit. */
  rateLimit: RateLimit | null
}

/** The values of the two headers that can carry a key. */
export type Credentials = { apiKey: string | undefined; authorization: string | undefined }

export type Keyring = {
  /** The key, where it was read less than a second ago; undefined: not known without asking the database. */
  known(credentials: Credentials): Key | undefined
  /** The key; undefined: the headers hold none, or it is unknown or revoked. `address`: the client's IP address. */
  find(credentials: Credentials, address: string): Promise<Key | undefined>
  /** Counts a wrong key; seconds to wait where too many came from this address, else undefined. */
  refuse(address: string): number | undefined
}

/** How long a key is trusted, so that one revoked anywhere is refused everywhere within a second. */
const trustedMs = 900

/** Longer than any key that Mintmark makes; a longer text is refused without a digest. */
const maxKeyLength = 1_024

/** Wrong keys of one address that are answered 401; further ones are answered 429. */
const wrongKeys = { requestsPerSecond: 10, burst: 100 }

/** How long the lookup of a key waits, in milliseconds, where its address sent many wrong ones and the key was not valid before. */
const patienceMs = 100

/** Most keys of one lookup. */
const mostLookups = 1_000

type Seen = { key: Key | undefined; digest: string; readAt: number }

/** Knows keys by their SHA-256; the text of a key stays in memory for less than a second after it was given. */
export function createKeyring(options: {
  db: Sql
  /** Reads keys, without waiting for other statements; `db` where left out. */
  lookups?: Sql | undefined
  config: Pick<ApiConfig, 'apiKey' | 'apiKeyRateLimit' | 'rateLimit'>
}): Keyring {
  const { db, lookups = db, config } = options
  const seen = createLru<string, Seen>(10_000)
  /** Unknown keys, apart from the others, so that a flood of wrong keys does not push out the right ones. */
  const unknown = createLru<string, Seen>(10_000)
  const wrong = createAddressLimits(wrongKeys)
  /** Valid keys by their text, for a moment: a digest for each request is a sixth of what a repeated page costs. */
  const lately = createLru<string, Seen>(1_000)
  const rateLimits = createLru<string, RateLimit>(100_000)
  const own: Seen | undefined =
    config.apiKey === null
      ? undefined
      : {
          key: {
            id: 0n,
            access: 'admin',
            rateLimit: config.apiKeyRateLimit && createRateLimit(config.apiKeyRateLimit),
          },
          digest: digestOf('sha256', config.apiKey, 'hex'),
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

  function recall(digest: string): Seen | undefined {
    if (own && equalDigests(own.digest, digest)) return own
    const entry = seen.get(digest) ?? unknown.get(digest)
    return entry && isTrusted(entry) && equalDigests(entry.digest, digest) ? entry : undefined
  }

  function keepForNow(text: string, entry: Seen): void {
    if (lately.size === 0) setTimeout(() => lately.clear(), trustedMs).unref()
    lately.set(text, entry)
  }

  async function read(digests: string[]): Promise<Map<string, Key>> {
    const readAt = performance.now()
    const rows = await findKeys(
      lookups,
      digests.map((digest) => Buffer.from(digest, 'hex')),
    )
    // No request waits for it, nor fails with it: a key that is in use is read again within a second, and noted then.
    noteUse(db, [...rows.values()]).catch(() => undefined)
    const keys = new Map<string, Key>()
    for (const digest of digests) {
      const row = rows.get(digest)
      const key: Key | undefined = row && { id: row.id, access: row.access, rateLimit: rateLimitOf(row) }
      if (key) {
        keys.set(digest, key)
        seen.set(digest, { key, digest, readAt })
        unknown.delete(digest)
      } else {
        seen.delete(digest)
        unknown.set(digest, { key, digest, readAt })
      }
    }
    return keys
  }

  const lookUp = createBatches({ read, most: mostLookups })
  const lookUpPatiently = createBatches({ read, most: mostLookups, pauseMs: patienceMs })

  return {
    known(credentials) {
      const text = keyText(credentials)
      if (text === undefined) return undefined
      const given = lately.get(text)
      if (given && isTrusted(given)) return given.key
      const entry = recall(digestOf('sha256', text, 'hex'))
      if (entry?.key) keepForNow(text, entry)
      return entry?.key
    },
    async find(credentials, address) {
      const text = keyText(credentials)
      if (text === undefined) return undefined
      const digest = digestOf('sha256', text, 'hex')
      const entry = recall(digest)
      if (entry) return entry.key
      return seen.has(digest) || !wrong.exhausted(address) ? lookUp(digest) : lookUpPatiently(digest)
    },
    refuse: (address) => wrong.take(address),
  }
}

function isTrusted(entry: Seen): boolean {
  return performance.now() - entry.readAt < trustedMs
}

/**
 * Compares in constant time. It compares hex text, as a digest comes as text in 0.2 µs and as a Buffer, which timingSafeEqual needs, in
 * 0.6 µs, and every request has one.
 */
function equalDigests(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

function keyText({ apiKey, authorization }: Credentials): string | undefined {
  const text = apiKey || (authorization && /^bearer +(\S+) *$/i.exec(authorization)?.[1])
  return text && text.length <= maxKeyLength ? text : undefined
}
