import { isUtf8 } from 'node:buffer'
import { hash as digestOf } from 'node:crypto'
import type { Sql } from '../../db/database.ts'
import { type ApiKey, findKeys, type KeyAccess, noteUse } from '../../db/keys.ts'
import { deleteSession, findSessions, insertSession, noteSessionUse, type StoredSession } from '../../db/sessions.ts'
import { createLru } from '../../util/createLru.ts'
import { createAddressLimits } from './createAddressLimits.ts'
import { createBatches } from './createBatches.ts'
import type { RateLimitOptions } from './rateLimit.ts'
import { createRateLimit, type RateLimit } from './rateLimit.ts'
import { isSessionToken, newSessionToken, sessionDigest } from './sessionToken.ts'

/** The key that a request came with. */
export type Key = {
  /** 0: the configured key. */
  id: bigint
  access: KeyAccess
  /** null: no limit. */
  rateLimit: RateLimit | null
  /** The request has the token of a session that the key opened. */
  isSession: boolean
}

/** Values of the two headers that may have a key or session token. */
export type Credentials = { apiKey: string | undefined; authorization: string | undefined }

export type Keyring = {
  /** The key, if it was read less than a second ago; undefined: a database query is needed. */
  known(credentials: Credentials): Key | undefined
  /** The key; undefined: missing, unknown or revoked. `address`: the client's IP address. */
  find(credentials: Credentials, address: string): Promise<Key | undefined>
  /** Counts a wrong key. Returns the seconds to wait if the address sent too many, else undefined. */
  reject(address: string): number | undefined
  /** Opens a console session with the access of a key, and returns its token. */
  beginSession(keyId: bigint): Promise<string>
  /** Ends the session of a request. */
  endSession(credentials: Credentials): Promise<void>
}

/** How long a looked-up key is trusted: a revoked key is rejected everywhere within a second. */
const trustedMs = 900

/** Age at which a key in use is looked up again, beside its requests: so none of them waits for the database. */
const renewedMs = 500

/** Longer than any key of Mintmark; longer texts are rejected without hashing. */
const maxKeyLength = 1_024

/** Wrong keys per address that are answered 401; further ones are answered 429. */
const wrongKeys = { requestsPerSecond: 10, burst: 100 }

/**
 * How long the lookup of a key waits, in milliseconds, where its address sent many wrong ones and the key was not known
 * as valid.
 */
const patienceMs = 100

/** Most keys per lookup. */
const mostLookups = 1_000

type Seen = { key: Key | undefined; digest: string; readAt: number; isRenewed?: boolean }

/** Prefix of session token digests in memory, which separates them from key digests. */
const ofSession = 'session '

/** Knows keys and session tokens by SHA-256. The text of a key stays in memory for less than a second. */
export function createKeyring(options: {
  db: Sql
  /** Looks up keys without waiting for other statements; default: `db`. */
  lookups?: Sql | undefined
  config: Pick<ApiConfig, 'apiKey' | 'apiKeyRateLimit' | 'rateLimit'>
}): Keyring {
  const { db, lookups = db, config } = options
  const seen = createLru<string, Seen>(10_000)
  /** Unknown keys have their own cache, so a flood of wrong keys does not evict valid ones. */
  const unknown = createLru<string, Seen>(10_000)
  const wrong = createAddressLimits(wrongKeys)
  /** Recently used valid keys by their text: hashing for each request is a sixth of the cost of a repeated page. */
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
            isSession: false,
          },
          digest: digestOf('sha256', config.apiKey, 'hex'),
          readAt: Number.POSITIVE_INFINITY,
        }

  /** After a change of its limits, a key starts with a full bucket. */
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

  /** Digest of a key or token in memory. */
  function digestFor(text: string): string {
    return isSessionToken(text) && text !== config.apiKey
      ? `${ofSession}${sessionDigest(text, config.apiKey)}`
      : digestOf('sha256', text, 'hex')
  }

  function keyOf(key: ApiKey, isSession: boolean): Key {
    return { id: key.id, access: key.access, rateLimit: rateLimitOf(key), isSession }
  }

  function keyOfSession({ key }: StoredSession): Key | undefined {
    if (key) return keyOf(key, true)
    return own?.key && { ...own.key, isSession: true }
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
    const isOfSession = (digest: string) => digest.startsWith(ofSession)
    const hashes = digests.filter((digest) => !isOfSession(digest)).map((digest) => Buffer.from(digest, 'hex'))
    const tokens = digests.filter(isOfSession).map((digest) => Buffer.from(digest.slice(ofSession.length), 'hex'))
    const [rows, sessions] = await Promise.all([
      hashes.length > 0 ? findKeys(lookups, hashes) : new Map<string, ApiKey>(),
      tokens.length > 0 ? findSessions(lookups, tokens) : new Map<string, StoredSession>(),
    ])
    // No request waits for it or fails with it. A key in use is read again within a second, and its use is recorded
    // then.
    const used = [...rows.values(), ...[...sessions.values()].flatMap(({ key }) => key ?? [])]
    noteUse(db, used).catch(() => undefined)
    noteSessionUse(db, sessions).catch(() => undefined)
    const keys = new Map<string, Key>()
    for (const digest of digests) {
      const row = rows.get(digest)
      const session = isOfSession(digest) ? sessions.get(digest.slice(ofSession.length)) : undefined
      const key = row ? keyOf(row, false) : session && keyOfSession(session)
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

  /** If the lookup fails, the key is looked up by the first request after it expires. */
  function renew(entry: Seen): void {
    if (entry.isRenewed || performance.now() - entry.readAt < renewedMs) return
    entry.isRenewed = true
    lookUp(entry.digest).catch(() => undefined)
  }

  return {
    known(credentials) {
      const text = keyText(credentials)
      if (text === undefined) return undefined
      const given = lately.get(text)
      const entry = given && isTrusted(given) ? given : recall(digestFor(text))
      if (!entry?.key) return undefined
      if (entry !== given) keepForNow(text, entry)
      renew(entry)
      return entry.key
    },
    async find(credentials, address) {
      const text = keyText(credentials)
      if (text === undefined) return undefined
      const digest = digestFor(text)
      const entry = recall(digest)
      if (entry) return entry.key
      return seen.has(digest) || !wrong.exhausted(address) ? lookUp(digest) : lookUpPatiently(digest)
    },
    reject: (address) => wrong.take(address),
    async beginSession(keyId) {
      const token = newSessionToken(keyId)
      await insertSession(db, { hash: hashOf(token), keyId })
      return token
    },
    async endSession(credentials) {
      const token = keyText(credentials)
      if (token === undefined) return
      await deleteSession(db, hashOf(token))
      lately.delete(token)
      seen.delete(digestFor(token))
    },
  }

  function hashOf(token: string): Buffer {
    return Buffer.from(sessionDigest(token, config.apiKey), 'hex')
  }
}

function isTrusted(entry: Seen): boolean {
  return performance.now() - entry.readAt < trustedMs
}

/**
 * Compares hex digests in constant time. Hex takes 0.2 µs to produce; a Buffer for timingSafeEqual would take 0.6 µs,
 * for every request.
 */
function equalDigests(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

function keyText({ apiKey, authorization }: Credentials): string | undefined {
  const text = apiKey || (authorization && /^bearer +(.*[^ ]) *$/i.exec(authorization)?.[1])
  const key = text && decoded(text)
  return key && key.length <= maxKeyLength ? key : undefined
}

/** A header has one character per byte, so a key that a client sent as UTF-8 is decoded. Returns other texts unchanged. */
function decoded(text: string): string {
  const bytes = Buffer.from(text, 'latin1')
  return isUtf8(bytes) && bytes.toString('latin1') === text ? bytes.toString() : text
}

/** Part of the configuration that this module needs. */
export type ApiConfig = {
  /** An admin key that always exists. */
  apiKey: string | null
  /** null: no limit. */
  apiKeyRateLimit: RateLimitOptions | null
  /** Default for keys without their own limit. */
  rateLimit: RateLimitOptions
  cors: { origins: readonly string[] }
  pageCache: { maxBytes: number; freshMs: number }
  /** /metrics needs no key. */
  metricsPublic: boolean
  shutdownTimeoutMs: number
}
