import { createLru } from '../../../util/createLru.ts'
import type { Address } from '../../../util/hex.ts'
import { createLogWidth, type LogWidth, type RangeCaps } from './logWidth.ts'
import type { LogRange } from './source.ts'

/** The width for requests like this one. Logs by topics cost a node more than a contract's logs, and start narrower. */
export type LogWidths = { of(range: Pick<LogRange, 'address' | 'topics'>): LogWidth }

/** Most contracts whose width is in memory; 300 bytes each. */
const maxContracts = 10_000

/** The width of each contract. */
export function createLogWidths(options: { max: number; endpoints: number; caps: RangeCaps }): LogWidths {
  const widths = createLru<Address, LogWidth>(maxContracts)
  return {
    of(range) {
      const subject = subjectOf(range)
      const known = widths.get(subject)
      if (known) return known
      const width = createLogWidth({ ...options, ...(range.address && { first: options.caps.first() }) })
      widths.set(subject, width)
      return width
    },
  }
}

/** The address by which the width of a request is kept: the contract, the only wallet among the topics, or a key for any wallets. */
export function subjectOf({ address, topics }: Pick<LogRange, 'address' | 'topics'>): Address {
  if (address) return address
  const parties = topics.slice(1).flatMap((place) => place ?? [])
  return parties.length === 1 ? `0x${parties[0]!.slice(26)}` : anyWallet
}

const anyWallet: Address = `0x${'0'.repeat(40)}`
