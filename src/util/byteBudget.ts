/** Bytes that several holders may hold together, so that many large answers at once do not fill the memory. */
export type ByteBudget = {
  open(): ByteHolder
  /** The same bytes for holders of somebody else: what others hold, and wait for, leaves them space. */
  share(): ByteBudget
  /** Bytes held now, in all shares. */
  held(): number
}

/** What one answer holds. */
export type ByteHolder = {
  /** Undefined where the bytes may be held at once; else resolves when they may. Rejects with the signal's reason. */
  take(bytes: number, signal: AbortSignal): Promise<void> | undefined
  /** Gives everything back. */
  close(): void
}

/** A share may hold this many times the free bytes, so a new holder always gets some, however many others there are. */
const timesFree = 3

type Share = { held: number; waiting: number; exceededAt: number }
type Holder = { share: Share; own: number; opened: number }
type Waiting = { bytes: number; grant(): void }

/**
 * A budget of so many bytes, shared by dynamic thresholds (Choudhury and Hahne 1998). Holders of a share that wait are served in the order in
 * which they were opened. If holders that request more hold all of it, none could continue. So one of them may exceed the budget: the oldest of the
 * share that did so least recently.
 */
export function createByteBudget(total: number): ByteBudget {
  /** Without what the holder has that exceeds. */
  let held = 0
  let exceeding: Holder | undefined
  const waiting = new Map<Holder, Waiting>()
  let holders = 0
  let turns = 0

  const fits = ({ share }: Holder, bytes: number) => share.held + bytes <= timesFree * (total - held - bytes)

  function give(holder: Holder, bytes: number): void {
    holder.own += bytes
    if (holder === exceeding) return
    holder.share.held += bytes
    held += bytes
  }

  function takeBack(holder: Holder): void {
    if (holder === exceeding) return
    holder.share.held -= holder.own
    held -= holder.own
  }

  function stopWaiting(holder: Holder): Waiting | undefined {
    const wanted = waiting.get(holder)
    if (waiting.delete(holder)) holder.share.waiting--
    return wanted
  }

  function serve(): void {
    if (waiting.size === 0) return
    const inOrder = [...waiting.keys()].sort((a, b) => a.opened - b.opened)
    const full = new Set<Share>()
    for (const holder of inOrder) {
      if (full.has(holder.share)) continue
      if (fits(holder, waiting.get(holder)!.bytes)) stopWaiting(holder)!.grant()
      else full.add(holder.share)
    }
    if (exceeding !== undefined || waiting.size === 0) return
    const [first, ...others] = inOrder.filter((holder) => waiting.has(holder))
    const next = others.reduce((best, other) => (other.share.exceededAt < best.share.exceededAt ? other : best), first!)
    takeBack(next)
    exceeding = next
    next.share.exceededAt = ++turns
    stopWaiting(next)!.grant()
    serve()
  }

  function open(share: Share): ByteHolder {
    const holder: Holder = { share, own: 0, opened: ++holders }
    return {
      take(bytes, signal) {
        if (exceeding === holder || (share.waiting === 0 && fits(holder, bytes))) {
          give(holder, bytes)
          return undefined
        }
        return new Promise((resolve, reject) => {
          const abort = () => {
            stopWaiting(holder)
            serve()
            reject(signal.reason)
          }
          if (signal.aborted) return abort()
          signal.addEventListener('abort', abort, { once: true })
          share.waiting++
          waiting.set(holder, {
            bytes,
            grant() {
              signal.removeEventListener('abort', abort)
              give(holder, bytes)
              resolve()
            },
          })
          serve()
        })
      },
      close() {
        stopWaiting(holder)
        takeBack(holder)
        holder.own = 0
        if (exceeding === holder) exceeding = undefined
        serve()
      },
    }
  }

  const share = (): ByteBudget => {
    const own: Share = { held: 0, waiting: 0, exceededAt: 0 }
    return { open: () => open(own), share, held: () => held + (exceeding?.own ?? 0) }
  }
  return share()
}
