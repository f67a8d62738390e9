import { hash as digestOf, randomBytes } from 'node:crypto'

/** Prefixes of session tokens: for keys in the database, and for the configured key. */
const prefixes = { stored: 'mms_', own: 'mmo_' } as const

/** A new session token for a key (0: the configured key). A request sends it in place of the key. */
export function newSessionToken(keyId: bigint): string {
  return `${keyId === 0n ? prefixes.own : prefixes.stored}${randomBytes(32).toString('base64url')}`
}

/** Whether a text is a session token rather than a key. */
export function isSessionToken(text: string): boolean {
  return text.startsWith(prefixes.stored) || text.startsWith(prefixes.own)
}

/**
 * SHA-256 in hex by which a token is stored. For the configured key, it also includes the key: a process with another
 * key rejects the session, and a stored digest does not reveal a short key.
 */
export function sessionDigest(token: string, ownKey: string | null): string {
  return digestOf('sha256', token.startsWith(prefixes.own) ? `${token} ${ownKey ?? ''}` : token, 'hex')
}
