import { hash as digestOf, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * One-time codes, each for one session. They may appear in links, although browsers store these. Only the memory of
 * this process has them.
 */
export type SignInCodes = {
  /** A new code, valid for a minute. */
  issue(): string
  /**
   * Uses up a code if `open` succeeds; if `open` fails, the code stays valid. Undefined: the code is unknown, already used, or older than a minute.
   */
  redeem<T>(code: string, open: () => Promise<T>): Promise<T | undefined>
}

const validMs = 60_000
/** Most valid codes; the oldest is dropped. */
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
      // Compares all, each in constant time.
      const found = codes.filter((known) => timingSafeEqual(known.digest, given))
      if (found.length === 0) return undefined
      // Concurrent requests with the code do not find it.
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
