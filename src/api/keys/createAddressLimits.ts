import { isIPv6 } from 'node:net'
import { createLru } from '../../util/createLru.ts'
import { createRateLimit, type RateLimit, type RateLimitOptions } from './rateLimit.ts'

/** Rate limits per IP address. */
export type AddressLimits = {
  /** Counts one request. Returns the seconds to wait if there were too many, else undefined. */
  take(address: string): number | undefined
  /** Whether the next request would be too many. */
  exhausted(address: string): boolean
}

/** Most remembered addresses; the count of a forgotten one restarts. */
const mostAddresses = 10_000

/** IPv6 addresses count by /64, the usual network of one customer. */
export function createAddressLimits(options: RateLimitOptions): AddressLimits {
  const limits = createLru<string, RateLimit>(mostAddresses)

  function limitOf(address: string): RateLimit {
    const name = networkOf(address)
    let limit = limits.get(name)
    if (!limit) {
      limit = createRateLimit(options)
      limits.set(name, limit)
    }
    return limit
  }

  return {
    take(address) {
      const limit = limitOf(address)
      return limit.take() ? undefined : limit.retryAfterSeconds()
    },
    exhausted: (address) => limits.get(networkOf(address))?.has() === false,
  }
}

function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1]!
  if (!isIPv6(address)) return address
  const [front = '', back] = address.split('%')[0]!.split('::')
  const groups = front === '' ? [] : front.split(':')
  const tail = back ? back.split(':') : []
  const zeros =
    back === undefined ? [] : Array.from({ length: Math.max(0, 8 - groups.length - tail.length) }, () => '0')
  return [...groups, ...zeros, ...tail].slice(0, 4).join(':')
}
