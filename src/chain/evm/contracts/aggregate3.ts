import type { Address, Hex } from '../../../util/hex.ts'

/**
 * Multicall3's `aggregate3((address target, bool allowFailure, bytes callData)[])` and its result `(bool success, bytes returnData)[]`. Encoded and
 * decoded by hand: ten thousand token URIs take an ABI library 0.3 s, this 0.03 s.
 */

const selector = '82ad56cb'

/** Each call may fail by itself. */
export function encodeAggregate3(calls: readonly { to: Address; data: Hex }[]): Hex {
  const heads: string[] = []
  const tails: string[] = []
  let offset = calls.length * 32
  for (const { to, data } of calls) {
    const digits = data.slice(2)
    const tail = to.slice(2).padStart(64, '0') + word(1) + word(96) + word(digits.length / 2) + padded(digits)
    heads.push(word(offset))
    tails.push(tail)
    offset += tail.length / 2
  }
  return `0x${selector}${word(32)}${word(calls.length)}${heads.join('')}${tails.join('')}`
}

export type CallResult = { success: boolean; returnData: Hex }

/** The results of `count` calls; undefined if the data is invalid. */
export function decodeAggregate3(data: Hex, count: number): CallResult[] | undefined {
  /** A word as a number; NaN past the end. Offsets are in bytes, of two digits each. */
  const at = (byte: number) => {
    const digits = data.slice(2 + byte * 2, 66 + byte * 2)
    return digits.length === 64 ? Number(`0x${digits}`) : Number.NaN
  }
  const list = at(0)
  if (!(at(list) === count)) return undefined
  const base = list + 32
  const results: CallResult[] = []
  for (let i = 0; i < count; i++) {
    const entry = base + at(base + i * 32)
    const success = at(entry)
    const bytes = entry + at(entry + 32)
    const start = 2 + (bytes + 32) * 2
    const end = start + at(bytes) * 2
    // Also false for NaN, which any word past the end produces.
    if (!(end <= data.length && success <= 1)) return undefined
    results.push({ success: success === 1, returnData: `0x${data.slice(start, end)}` })
  }
  return results
}

function word(value: number): string {
  return value.toString(16).padStart(64, '0')
}

function padded(digits: string): string {
  return digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')
}
