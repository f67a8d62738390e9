/**
 * The result of the first of several ways that succeeds. The next way starts when the last started one fails or takes longer than `patienceMs`.
 * Promise.any would start all of them, and each is a request. `stopOn`: errors after which no other way is tried.
 */
export async function firstSuccess<T>(
  ways: readonly ((signal: AbortSignal) => Promise<T>)[],
  options: { patienceMs: number; signal?: AbortSignal | undefined; stopOn(error: unknown): boolean },
): Promise<{ ok: true; value: T } | { ok: false; errors: unknown[] }> {
  const { patienceMs, signal, stopOn } = options
  signal?.throwIfAborted()
  const stop = new AbortController()
  const abort = () => stop.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise((resolve, reject) => {
      const errors: unknown[] = []
      let started = 0
      let over = false
      const end = (settle: () => void) => {
        over = true
        settle()
      }
      const begin = () => {
        clearTimeout(timer)
        const way = over ? undefined : ways[started]
        if (!way) return
        const mine = ++started
        timer = setTimeout(begin, patienceMs)
        way(stop.signal).then(
          (value) => end(() => resolve({ ok: true, value })),
          (error) => {
            errors.push(error)
            if (stop.signal.aborted) return end(() => reject(stop.signal.reason))
            if (stopOn(error)) return end(() => reject(error))
            if (errors.length === ways.length) return end(() => resolve({ ok: false, errors }))
            if (mine === started) begin()
          },
        )
      }
      if (ways.length === 0) return resolve({ ok: false, errors })
      begin()
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    // Ways still running are no longer needed.
    stop.abort(new DOMException('another gateway answered', 'AbortError'))
  }
}
