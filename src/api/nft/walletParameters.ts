import { z } from 'zod'
import { type Address, hexToBuffer, zeroAddress } from '../../util/hex.ts'
import { address, flag, pageParameters, parameter } from '../http/parameters.ts'
import { type ChainFilters, readChainList } from './chainList.ts'
import { type ApiChain, chainParameter } from './chains.ts'

/** The wallet's address in a path. */
export function walletParameter() {
  const any = address({ description: 'The wallet.' })
  return parameter<Address>({
    description: 'The wallet: any address but the zero address, which holds nothing.',
    allowed:
      'an address: 0x and 40 hex digits, and not the zero address, which holds nothing and has a part in every mint and burn: request the contract',
    schema: { type: 'string', pattern: '^0[xX][0-9a-fA-F]{40}$', examples: [`0x${'5a'.repeat(20)}`] },
    parse(text) {
      const { data } = any.safeParse(text)
      return data === zeroAddress ? undefined : data
    },
  })
}

/** Most contracts of a request about a wallet. */
const mostContracts = 100

/** A list of contracts, in every list syntax. */
export function contractsParameter(options: { description: string }) {
  return z
    .array(address({ description: 'A contract.' }))
    .max(mostContracts, `has too many; allowed: at most ${mostContracts} addresses`)
    .meta({ description: `${options.description} At most ${mostContracts}.` })
}

/** Parameters of all lists of a wallet. None has a default, as a cursor has the omitted values. */
export function walletListShape({ chains }: { chains: readonly ApiChain[] }) {
  return {
    chain: chainParameter({ chains }).optional(),
    ...pageParameters(),
  }
}

export function excludeSpamParameter() {
  return flag({
    description:
      'true: omits collections that count as spam. With x-index-scope chain, the page is SYNCING until its contracts have a verdict.',
    default: false,
  })
}

/** The filters of each list of a wallet; `chain` is the id in hex. */
export type WalletFilters = ChainFilters & { wallet: Address | '' }

/** Combines path, query and cursor. Throws BadRequestError. */
export function readWalletList<F extends WalletFilters>(
  options: Parameters<typeof readChainList<F>>[0] & { wallet: Address },
) {
  const { wallet, filters, ...list } = options
  return readChainList<F>({ ...list, filters: { ...filters, wallet } })
}

const addressBytes = 20

/** Contracts as a filter in cursors: sorted, without duplicates, 27 characters each; null: all contracts. */
export function packContracts(contracts: readonly Address[] | undefined): string | undefined {
  if (!contracts) return undefined
  return Buffer.concat([...new Set(contracts)].toSorted().map(hexToBuffer)).toString('base64url')
}

export function unpackContracts(packed: string | null): Address[] | null {
  if (packed === null) return null
  const hex = Buffer.from(packed, 'base64url').toString('hex')
  const digits = 2 * addressBytes
  return Array.from({ length: hex.length / digits }, (_, i): Address => `0x${hex.slice(i * digits, (i + 1) * digits)}`)
}
