import type { Hex } from '../../../util/hex.ts'
import { keccakBytes } from '../../../util/keccak256.ts'
import type { EvmChain } from '../chains.ts'
import type { Header, RpcLog } from '../rpc/rpc.ts'

/** Log blooms of Ethereum's yellow paper: 2,048 bits, three for each address and topic. */
export type Blooms = {
  /** False: the value is in no log of the block. True: it may be in one. */
  hits(bloom: Uint8Array, value: Hex): boolean
  /** The bloom of exactly these logs. */
  of(logs: readonly RpcLog[]): Uint8Array
}

/** Most values with cached bits; hashing 10,000 addresses takes 17 ms, a lookup 1 ms. */
const maxRemembered = 200_000

export function createBlooms(): Blooms {
  const remembered = new Map<Hex, number>()

  /** Three bit numbers of 11 bits in one integer. */
  function bitsOf(value: Hex): number {
    const known = remembered.get(value)
    if (known !== undefined) return known
    const hash = keccakBytes(Buffer.from(value.slice(2), 'hex'))
    const bit = (i: number) => ((hash[i]! << 8) | hash[i + 1]!) & 2047
    const bits = bit(0) + bit(2) * 2048 + bit(4) * 4_194_304
    if (remembered.size >= maxRemembered) remembered.clear()
    remembered.set(value, bits)
    return bits
  }

  return {
    hits(bloom, value) {
      const bits = bitsOf(value)
      const low = bits % 4_194_304
      return isSet(bloom, low & 2047) && isSet(bloom, low >> 11) && isSet(bloom, Math.floor(bits / 4_194_304))
    },
    of(logs) {
      const bloom = new Uint8Array(256)
      const add = (value: Hex) => {
        const bits = bitsOf(value)
        const low = bits % 4_194_304
        for (const bit of [low & 2047, low >> 11, Math.floor(bits / 4_194_304)])
          bloom[255 - (bit >> 3)]! |= 1 << (bit & 7)
      }
      for (const log of logs) {
        add(log.address)
        for (const topic of log.topics) add(topic)
      }
      return bloom
    },
  }
}

function isSet(bloom: Uint8Array, bit: number): boolean {
  return (bloom[255 - (bit >> 3)]! & (1 << (bit & 7))) !== 0
}

/** The bytes of a bloom; undefined for null, another length, and text that is not hex. */
export function parseBloom(hex: Hex | null): Uint8Array | undefined {
  if (hex === null || hex.length !== 514) return undefined
  const bytes = Buffer.from(hex.slice(2), 'hex')
  return bytes.length === 256 ? bytes : undefined
}

/**
 * The bloom of a header that logs can be checked against. Undefined if `chains.X.bloom` is false, the header has none, or every bit is set: chains
 * without blooms fill the field so (Filecoin's Lotus, `NewEthBlock`).
 */
export function headerBloom(chain: Pick<EvmChain, 'bloom'>, header: Pick<Header, 'logsBloom'>): Uint8Array | undefined {
  const bloom = chain.bloom === false ? undefined : parseBloom(header.logsBloom)
  return bloom?.every((byte) => byte === 0xff) ? undefined : bloom
}

/** Whether every bit of `part` is set in `whole`. */
export function coversBloom(whole: Uint8Array, part: Uint8Array): boolean {
  for (let i = 0; i < 256; i++) if ((part[i]! & ~whole[i]!) !== 0) return false
  return true
}

export function isEmptyBloom(bloom: Uint8Array): boolean {
  return bloom.every((byte) => byte === 0)
}
