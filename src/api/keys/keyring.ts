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
  /** 0: the key of the configuration. */
  id: bigint
  access: KeyAccess
  /** null: no limit. */
  rateLimit: RateLimit | null
  /** The request came with the token of a session that was begun with the key. */
  isSession: boolean
}

/** The values of the two headers that can carry a key, or the token of a session. */
export type Credentials = { apiKey: string | undefined; authorization: string | undefined }

export type Keyring = {
  /** The key, where it was read less than a second ago; undefined: not known without a query to the database. */
  known(credentials: Credentials): Key | undefined
  /** The key; undefined: the headers hold none, or it is unknown or revoked. `address`: the client's IP address. */
  find(credentials: Credentials, address: string): Promise<Key | undefined>
  /** Counts a wrong key; seconds to wait where too many came from this address, else undefined. */
  refuse(address: string): number | undefined
  /** Begins a session of the console with a key, and gives its token: what the token's requests may do is what the key may do. */
  beginSession(keyId: bigint): Promise<string>
  /** Ends the session of a request. */
  endSession(credentials: Credentials): Promise<void>
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

/** Prefix of a session token's digest in memory, which separates it from digests of keys. */
const ofSession = 'session '

/** Knows keys and tokens of sessions by their SHA-256; the text of a key stays in memory for less than a second after it was given. */
export function createKeyring(options: {
  db: Sql
  /** Reads keys, without waiting for other statements; `db` where omitted. */
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
            isSession: false,
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

  /** What a key or a token is known by. */
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
    // No request waits for it, nor fails with it: a key that is in use is read again within a second, and noted then.
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

  return {
    known(credentials) {
      const text = keyText(credentials)
      if (text === undefined) return undefined
      const given = lately.get(text)
      if (given && isTrusted(given)) return given.key
      const entry = recall(digestFor(text))
      if (entry?.key) keepForNow(text, entry)
      return entry?.key
    },
    async find(credentials, address) {
      const text = keyText(credentials)
      if (text === undefined) return undefined
      const digest = digestFor(text)
      const entry = recall(digest)
      if (entry) return entry.key
      return seen.has(digest) || !wrong.exhausted(address) ? lookUp(digest) : lookUpPatiently(digest)
    },
    refuse: (address) => wrong.take(address),
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

/** The part of the configuration that this layer needs. */
export type ApiConfig = {
  /** An admin key that exists from the start. */
  apiKey: string | null
  /** null: none. */
  apiKeyRateLimit: RateLimitOptions | null
  /** Of every key that has none of its own. */
  rateLimit: RateLimitOptions
  cors: { origins: readonly string[] }
  pageCache: { maxBytes: number; freshMs: number }
  /** /metrics needs no key. */
  metricsPublic: boolean
  shutdownTimeoutMs: number
}
