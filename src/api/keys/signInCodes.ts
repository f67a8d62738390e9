import { hash as digestOf, randomBytes, timingSafeEqual } from 'node:crypto'

/** One-time codes, each of which opens one session: what a link can carry that a browser keeps. They are in the memory of this process alone. */
export type SignInCodes = {
  /** A new code, good for a minute. */
  issue(): string
  /** Uses up a code. False: it is none, was used already, or is older than a minute. */
  redeem(code: string): boolean
}

const validMs = 60_000
/** Codes at once; the oldest is forgotten. */
const mostCodes = 100

export function createSignInCodes(): SignInCodes {
  let codes: { digest: Buffer; endsAt: number }[] = []

  return {
    issue() {
      const code = randomBytes(16).toString('base64url')
      codes = [...codes, { digest: digest(code), endsAt: performance.now() + validMs }].slice(-mostCodes)
      return code
    },
    redeem(code) {
      const given = digest(code)
      const now = performance.now()
      // All are compared, each in constant time.
      const found = codes.filter((known) => timingSafeEqual(known.digest, given))
      codes = codes.filter((known) => known.endsAt > now && !found.includes(known))
      return found.some((known) => known.endsAt > now)
    },
  }
}

function digest(code: string): Buffer {
  return digestOf('sha256', code, 'buffer')
}
