import { TooManyRequestsError } from '../../util/errors.ts'

/** Most event connections per key and per process. */
export const mostOfKey = 2_000
export const mostOfProcess = 10_000

const retryAfterSeconds = 10

export type ListenersBound = {
  /** Counts a listener until the returned function is called. Throws TooManyRequestsError at the limit. */
  take(keyId: bigint): () => void
}

export function createListenersBound(): ListenersBound {
  const ofKeys = new Map<bigint, number>()
  let all = 0
  return {
    take(keyId) {
      const own = ofKeys.get(keyId) ?? 0
      if (own >= mostOfKey) throw tooMany(`this key has ${own} listeners`)
      if (all >= mostOfProcess) throw tooMany(`the server has ${all} listeners`)
      ofKeys.set(keyId, own + 1)
      all++
      let counted = true
      return () => {
        if (!counted) return
        counted = false
        all--
        const remaining = ofKeys.get(keyId)! - 1
        if (remaining === 0) ofKeys.delete(keyId)
        else ofKeys.set(keyId, remaining)
      }
    },
  }
}

function tooMany(reason: string): TooManyRequestsError {
  return new TooManyRequestsError(`${reason}, the maximum; retry in ${retryAfterSeconds} s`, {
    retryAfterSeconds,
  })
}
