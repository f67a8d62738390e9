import { setImmediate as tick } from 'node:timers/promises'
import type { Address } from '../../../util/hex.ts'
import type { HolderAddresses, HolderAfter, HolderPageOptions, HolderRow, HolderRowsPage } from '../../holderQuery.ts'
import { numericBytes, numericEnd, writeNumeric, writeQuotedHex } from '../rows/writeText.ts'
import { addressTextLength } from './indexedHolders.ts'

const addressBytes = 20
const tokensAt = addressBytes
const placeAt = tokensAt + 4
const amountAt = placeAt + 4
/** Holders between which other requests are answered: a few milliseconds. */
const atOnce = 5_000

/** Most holders of a list whose addresses stay in memory as text: those of one answer. */
const mostAsText = 50_000

const comma = ','.charCodeAt(0)

/** All holders of a collection at one moment. */
export type HolderList = {
  count: number
  /** Bytes in memory. */
  size: number
  page(options: Pick<HolderPageOptions, 'order' | 'after' | 'limit' | 'minAmount'>): HolderRowsPage
  /** In address order. */
  addresses(options: { after: Address | null; limit: number }): Promise<HolderAddresses>
}

/** Reads holders from `selectHolderList`. `total`: total amount of all holders. */
export async function createHolderList(rows: Buffer, total: string): Promise<HolderList> {
  const starts: number[] = []
  for (let at = 0; at < rows.length; at = numericEnd(rows, at + amountAt)) {
    starts.push(at)
    if (starts.length % atOnce === 0) await tick()
  }
  const count = starts.length
  const byAmount = Uint32Array.from(starts)
  const byAddress = new Uint32Array(count)
  for (const [i, at] of byAmount.entries()) {
    byAddress[rows.readInt32BE(at + placeAt)] = at
    if (i % atOnce === atOnce - 1) await tick()
  }

  /** The text of all addresses, once it was requested. */
  let whole: Buffer | undefined
  const ownerAt = (at: number): Address => `0x${rows.toString('hex', at, at + addressBytes)}`
  function amountOf(at: number): string {
    const digits = Buffer.allocUnsafe(numericBytes(rows, at + amountAt))
    return digits.toString('latin1', 0, writeNumeric(digits, 0, rows, at + amountAt))
  }
  const rowAt = (at: number): HolderRow => ({
    owner: ownerAt(at),
    amount: amountOf(at),
    tokens: rows.readInt32BE(at + tokensAt),
  })

  /** Binary search: how many of the first `length` places of a sorted list satisfy `isBefore`. */
  function search(length: number, isBefore: (place: number) => boolean): number {
    let [low, high] = [0, length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBefore(middle)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Whether the holder at a place does not come after `after`. */
  function isUpTo(order: HolderPageOptions['order'], after: HolderAfter, place: number): boolean {
    if (order === 'address') return ownerAt(byAddress[place]!) <= after.owner
    const [own, other] = [BigInt(amountOf(byAmount[place]!)), BigInt(after.amount)]
    return own > other || (own === other && ownerAt(byAmount[place]!) <= after.owner)
  }

  /** Number of holders, by amount, with at least this amount. */
  const countFrom = (least: bigint) =>
    least <= 1n ? count : search(count, (place) => BigInt(amountOf(byAmount[place]!)) >= least)

  return {
    count,
    size: rows.length + (8 + (count <= mostAsText ? addressTextLength : 0)) * count,
    page({ order, after, limit, minAmount }) {
      const fitting = countFrom(minAmount)
      const [list, end] = order === 'amount' ? [byAmount, fitting] : [byAddress, count]
      const found: HolderRow[] = []
      let place = after === null ? 0 : search(end, (at) => isUpTo(order, after, at))
      // Holders are stored by amount: those with enough before the others. Reading each amount would take 1 s for a million.
      const enoughUpTo = byAmount[fitting] ?? rows.length
      for (; place < end && found.length <= limit; place++) {
        const row = list[place]!
        if (row < enoughUpTo) found.push(rowAt(row))
      }
      const shown = found.slice(0, limit)
      const last = found.length > limit ? shown.at(-1)! : null
      return { rows: shown, last: last && { amount: last.amount, owner: last.owner }, count: fitting, total }
    },
    async addresses({ after, limit }) {
      const from = after === null ? 0 : search(count, (place) => ownerAt(byAddress[place]!) <= after)
      const end = Math.min(from + limit, count)
      const isWhole = end - from === count && count <= mostAsText
      if (isWhole && whole) return { texts: [whole], last: null, count }
      const texts = Buffer.allocUnsafe((end - from) * addressTextLength)
      let at = 0
      for (let place = from; place < end; place++) {
        const row = byAddress[place]!
        at = writeQuotedHex(texts, at, rows, row, row + addressBytes)
        texts[at++] = comma
        if ((place - from) % atOnce === atOnce - 1) await tick()
      }
      const last = from < end && end < count ? ownerAt(byAddress[end - 1]!) : null
      const found = texts.subarray(0, Math.max(0, at - 1))
      if (isWhole) whole = found
      return { texts: [found], last, count }
    },
  }
}
