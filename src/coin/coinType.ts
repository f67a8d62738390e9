import { hash } from 'node:crypto'

/** A type as Move prints it: an address without leading zeros, module, name, and what stands in angle brackets. */
const printed = /^0x([0-9a-f]{1,64})::[\x21-\x7e][\x20-\x7e]*$/

/** The address in a coin's type, padded to 64 digits; undefined where the text is no type. */
export function creatorOf(coinType: string): string | undefined {
  return printed.exec(coinType)?.[1]?.padStart(64, '0')
}

/** What clients know a coin by. */
export function coinTypeHash(coinType: string): string {
  return hash('sha256', coinType, 'hex')
}
