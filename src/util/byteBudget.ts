/** Byte limit of several holders together, so that many concurrent large answers do not fill the memory. */
export type ByteBudget = {
  open(): ByteHolder
  /** The same budget for other holders: bytes that others hold or wait for leave them space. */
  share(): ByteBudget
  /** Bytes held now, in all shares. */
  held(): number
}

/** The bytes held for one answer. */
export type ByteHolder = {
  /** Undefined if the bytes may be held at once; otherwise resolves when they may. Rejects with the signal's reason. */
  take(bytes: number, signal: AbortSignal): Promise<void> | undefined
  /** Releases all bytes. */
  close(): void
}

/** A share may hold this many times the free bytes. So a new holder always gets some, however many others there are. */
const timesFree = 3

type Share = { held: number; waiting: number; exceededAt: number }
type Holder = { share: Share; own: number; opened: number }
type Waiting = { bytes: number; grant(): void }

/**
 * A budget of bytes, shared by dynamic thresholds (Choudhury and Hahne 1998). Waiting holders of a share are served in the order of their creation.
 * If all bytes are held by holders that need more, none could continue. So one of them may exceed the budget: the oldest of the share that did so
 * least recently.
 */
export function createByteBudget(total: number): ByteBudget {
  /** Without the bytes of the holder that exceeds the budget. */
  let held = 0
  let exceeding: Holder | undefined
  const waiting = new Map<Holder, Waiting>()
  let holders = 0
  let rounds = 0

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
    next.share.exceededAt = ++rounds
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
