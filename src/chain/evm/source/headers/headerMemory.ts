import type { Hex } from '../../../../util/hex.ts'
import { mapAtOnce } from '../../../../util/mapAtOnce.ts'
import { shareCalls } from '../../../../util/shareCalls.ts'
import { unlessAborted } from '../../../../util/wait.ts'
import type { Header } from '../../rpc/rpc.ts'
import { type HeaderReader, joinedPrefix } from './headerReader.ts'

export type HeaderMemory = {
  /**
   * Headers of `from`…`to`, linked by parent hash and ending in block `toHash`, from memory if read before. Shorter if no node has the later ones;
   * ends in another block if the node's block `to` is another one.
   */
  recall(range: { from: bigint; to: bigint; toHash: Hex }, signal?: AbortSignal): Promise<Header[]>
  /** Starts to read the headers of `from`…`to` that are not in memory, for a later `recall`. Never rejects. */
  foresee(from: bigint, to: bigint, signal?: AbortSignal): Promise<void>
  /** Remembers headers that were read otherwise. */
  remember(headers: readonly Header[]): void
  /** Drops the remembered headers, which may be of another chain. */
  forget(): void
}

/** Requests for headers in progress: others, as for the logs of these blocks, need not wait for all of them. */
const readsAtOnce = 6

/** Most remembered headers of a chain, 1 kB each. Of a wider gap the newest are remembered, the others are read each time. */
const mostRemembered = 32_768n

/**
 * The headers near the head of a chain. A collection or stream that reaches the head needs those from below the finalized block up to the head. So
 * `gap` headers are remembered, and concurrent callers for the same headers share one request.
 */
export function createHeaderMemory(options: {
  reader: HeaderReader
  /** Blocks between the lowest requested one and the head. */
  gap: () => bigint
}): HeaderMemory {
  const { gap } = options
  const { read, chunk } = options.reader
  const remembered = new Map<bigint, Header>()
  const shared = shareCalls<Header[]>()
  let newest = -1n

  function remember(headers: readonly Header[]): void {
    const wanted = gap() + chunk
    const size = wanted < mostRemembered ? wanted : mostRemembered
    for (const header of headers) {
      if (header.number > newest) newest = header.number
      if (header.number > newest - size) remembered.set(header.number, header)
    }
    // Old headers are dropped in bulk, so up to a quarter too many may stay for a while.
    if (remembered.size > 1.25 * Number(size))
      for (const number of remembered.keys()) if (number <= newest - size) remembered.delete(number)
  }

  /** Several callers may wait for one request, so the signal of one does not end it. */
  function share(from: bigint, to: bigint, signal?: AbortSignal): Promise<Header[]> {
    const request = shared(`${from} ${to}`, async () => {
      const headers = await read(from, to)
      remember(headers)
      return headers
    })
    return signal ? unlessAborted(request, signal) : request
  }

  /** Reads the headers that `known` lacks, in whole chunks, so that ranges with different first blocks share requests. */
  async function complete(known: Map<bigint, Header>, from: bigint, to: bigint, signal?: AbortSignal): Promise<void> {
    const missing: (readonly [bigint, bigint])[] = []
    for (let first = from - (from % chunk); first <= to; first += chunk) {
      const last = first + chunk - 1n < to ? first + chunk - 1n : to
      let low: bigint | undefined
      let high = last
      for (let number = first < from ? from : first; number <= last; number++)
        if (!known.has(number)) {
          low ??= number
          high = number
        }
      // A chunk without known headers is requested from its first block on.
      if (low !== undefined) missing.push([low === from || low === first ? first : low, high])
    }
    const read = await mapAtOnce(missing, readsAtOnce, ([low, high]) => share(low, high, signal))
    for (const headers of read) for (const header of headers) known.set(header.number, header)
  }

  /**
   * Reads headers again whose link is broken: a reorganisation may have removed the lower ones, or a node may have returned a wrong parent hash for the
   * upper one.
   */
  async function rejoin(known: Map<bigint, Header>, from: bigint, to: bigint, signal?: AbortSignal): Promise<void> {
    let again = to + 1n
    for (let number = to; number > from; number--) {
      const upper = known.get(number)
      const lower = known.get(number - 1n)
      if (!upper || !lower || upper.parentHash === lower.hash || number - 1n >= again) continue
      again = number - chunk >= from ? number - chunk + 1n : from
      const headers = await read(again, number, signal)
      remember(headers)
      for (const header of headers) known.set(header.number, header)
    }
  }

  function inMemory(from: bigint, to: bigint): Map<bigint, Header> {
    const known = new Map<bigint, Header>()
    for (let number = from; number <= to; number++) {
      const header = remembered.get(number)
      if (header) known.set(number, header)
    }
    return known
  }

  return {
    remember,
    async foresee(from, to, signal) {
      // `recall` reports the error.
      await complete(inMemory(from, to), from, to, signal).catch(() => undefined)
    },
    async recall({ from, to, toHash }, signal) {
      const known = inMemory(from, to)
      if (known.get(to)?.hash !== toHash) known.delete(to)
      await complete(known, from, to, signal)
      await rejoin(known, from, to, signal)
      const headers: Header[] = []
      for (let number = from; known.has(number) && number <= to; number++) headers.push(known.get(number)!)
      return joinedPrefix(headers, from)
    },
    forget() {
      remembered.clear()
      newest = -1n
    },
  }
}
