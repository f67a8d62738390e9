import { InvalidArgumentError } from 'commander'

/** Parses an HTTP URL. */
export function parseHttpAddress(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new InvalidArgumentError('It must be an http:// or https:// address.')
  return text
}

/** Parses an option as a whole number from 1 to `max`, with at most seven digits. */
export function wholeNumber(max: number): (text: string) => number {
  return (text) => {
    if (!/^[1-9]\d{0,6}$/.test(text) || Number(text) > max)
      throw new InvalidArgumentError(`It must be a whole number from 1 to ${max}.`)
    return Number(text)
  }
}

/** Parses a block number. */
export function blockNumber(text: string): bigint {
  if (!/^(\d{1,18}|0x[0-9a-fA-F]{1,15})$/.test(text))
    throw new InvalidArgumentError('It must be the number of a block.')
  return BigInt(text)
}
