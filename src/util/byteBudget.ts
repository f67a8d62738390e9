/** Bytes that several holders may hold together, so that many large answers at once do not fill the memory. */
export type ByteBudget = {
  open(): ByteHolder
  /** Bytes held now. */
  held(): number
}

/** What one answer holds. */
export type ByteHolder = {
  /** Undefined where the bytes may be held at once; else resolves when they may. Rejects with the signal's reason. */
  take(bytes: number, signal: AbortSignal): Promise<void> | undefined
  /** Gives everything back. */
  close(): void
}

type Waiting = { bytes: number; grant(): void }

/**
 * A budget of so many bytes. Holders that wait are served in the order in which they were opened. Where all of it is held by holders that want
 * more, none could go on: so the oldest that waits may exceed the budget, one at a time.
 */
export function createByteBudget(total: number): ByteBudget {
  let held = 0
  let exceeding: symbol | undefined
  /** Holders that wait, in the order of their opening. */
  const waiting = new Map<symbol, Waiting>()
  let opened: symbol[] = []

  function serve(): void {
    for (const holder of opened) {
      const next = waiting.get(holder)
      if (!next) continue
      if (held + next.bytes > total) {
        if (exceeding !== undefined && exceeding !== holder) return
        exceeding = holder
      }
      waiting.delete(holder)
      next.grant()
    }
  }

  return {
    held: () => held,
    open() {
      const holder = Symbol('holder')
      let own = 0
      opened.push(holder)
      const grant = (bytes: number) => {
        own += bytes
        held += bytes
      }
      return {
        take(bytes, signal) {
          if (exceeding === holder || (waiting.size === 0 && held + bytes <= total)) {
            grant(bytes)
            return undefined
          }
          return new Promise((resolve, reject) => {
            const abort = () => {
              waiting.delete(holder)
              reject(signal.reason)
            }
            if (signal.aborted) return abort()
            signal.addEventListener('abort', abort, { once: true })
            waiting.set(holder, {
              bytes,
              grant() {
                signal.removeEventListener('abort', abort)
                grant(bytes)
                resolve()
              },
            })
            serve()
          })
        },
        close() {
          held -= own
          own = 0
          opened = opened.filter((other) => other !== holder)
          waiting.delete(holder)
          if (exceeding === holder) exceeding = undefined
          serve()
        },
      }
    },
  }
}
