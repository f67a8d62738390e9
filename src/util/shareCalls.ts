/** Concurrent calls with one name share one call of `work`. Results are not cached. */
export function shareCalls<T>(): (name: string, work: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>()
  return (name, work) => {
    let shared = underWay.get(name)
    if (!shared) {
      shared = work().finally(() => underWay.delete(name))
      underWay.set(name, shared)
    }
    return shared
  }
}

/**
 * `work` for many callers: callers during a call share the next one, so that each gets a result from after its request. Callers with other keys share
 * nothing.
 */
export function shareNext<T>(work: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const calls = new Map<string, { underWay: Promise<unknown>; next: Promise<T> | undefined }>()

  function begin(key: string): Promise<T> {
    const found = work(key)
    const call = { underWay: found as Promise<unknown>, next: undefined }
    calls.set(key, call)
    const ended = () => {
      if (calls.get(key) === call && !call.next) calls.delete(key)
    }
    found.then(ended, ended)
    return found
  }

  return (key) => {
    const call = calls.get(key)
    if (!call) return begin(key)
    const again = () => begin(key)
    call.next ??= call.underWay.then(again, again)
    return call.next
  }
}

/** `make`, called on first use only: its result is kept, and shared by callers during the call. A failure is not kept. */
export function shareOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined
  return () => {
    value ??= make().catch((error: unknown) => {
      value = undefined
      throw error
    })
    return value
  }
}
