import { hash as digestOf, randomBytes, timingSafeEqual } from 'node:crypto'

/** One-time codes, each for one session. A link may contain one, although browsers store links. They are in the memory of this process alone. */
export type SignInCodes = {
  /** A new code, good for a minute. */
  issue(): string
  /**
   * Uses up a code if `open` succeeds; if `open` fails, the code stays valid. Undefined: the code is unknown, already used, or older than a minute.
   */
  redeem<T>(code: string, open: () => Promise<T>): Promise<T | undefined>
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
    async redeem(code, open) {
      const given = digest(code)
      const now = performance.now()
      codes = codes.filter((known) => known.endsAt > now)
      // All are compared, each in constant time.
      const found = codes.filter((known) => timingSafeEqual(known.digest, given))
      if (found.length === 0) return undefined
      // Another request with the code finds none meanwhile.
      codes = codes.filter((known) => !found.includes(known))
      try {
        return await open()
      } catch (error) {
        codes = [...codes, ...found]
        throw error
      }
    },
  }
}

function digest(code: string): Buffer {
  return digestOf('sha256', code, 'buffer')
}
