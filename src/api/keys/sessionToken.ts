import { hash as digestOf, randomBytes } from 'node:crypto'

/** What tokens of sessions begin with: of keys of the database, and of the configuration's key. */
const prefixes = { stored: 'mms_', own: 'mmo_' } as const

/** A new token for a session of a key (0: the configuration's). It is in the header of a request where a key would. */
export function newSessionToken(keyId: bigint): string {
  return `${keyId === 0n ? prefixes.own : prefixes.stored}${randomBytes(32).toString('base64url')}`
}

/** Whether a text is the token of a session, and no key. */
export function isSessionToken(text: string): boolean {
  return text.startsWith(prefixes.stored) || text.startsWith(prefixes.own)
}

/**
 * SHA-256 in hex by which a token is stored. That of a session of the configuration's key is of the key too: processes with another key, or the same
 * one after its key was changed, do not know the session, and nobody guesses a short key by what the database has.
 */
export function sessionDigest(token: string, ownKey: string | null): string {
  return digestOf('sha256', token.startsWith(prefixes.own) ? `${token} ${ownKey ?? ''}` : token, 'hex')
}
