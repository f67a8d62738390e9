import { z } from 'zod'
import type { Address } from '../../util/hex.ts'
import { address, choice, flag, parameter, tokenId, wholeNumber } from '../http/parameters.ts'

/** Most contracts that a request about a wallet names, as Alchemy has it. */
export const mostContracts = 45

export const contractAddress = () => address({ description: 'The contract.' })

/** A token id: a decimal text in this dialect, hex in requests too. */
export const tokenIdParameter = () => tokenId({ description: 'The token, decimal or hex.' })

/** An address that holds tokens. ENS names are not resolved. */
export function ownerParameter() {
  const any = address({ description: 'The wallet.' })
  return parameter<Address>({
    description: 'The wallet. ENS names are not resolved.',
    allowed: 'an address: 0x and 40 hex digits; this server does not resolve ENS names',
    schema: { type: 'string', pattern: '^0[xX][0-9a-fA-F]{40}$' },
    parse: (text) => any.safeParse(text).data,
  })
}

/** A contract, and how the client wrote it. */
export type WrittenContract = { address: Address; written: string }

export function contractsParameter() {
  const any = contractAddress()
  const contract = parameter<WrittenContract>({
    description: 'A contract.',
    allowed: 'an address: 0x and 40 hex digits',
    schema: { type: 'string', pattern: '^0[xX][0-9a-fA-F]{40}$' },
    parse(text) {
      const address = any.safeParse(text).data
      return address && { address, written: text }
    },
  })
  return z
    .array(contract)
    .max(mostContracts, `has too many; allowed: at most ${mostContracts} addresses`)
    .describe(`Contracts, at most ${mostContracts}.`)
}

export const pageSizeParameter = (max = 100) =>
  wholeNumber({ description: 'Most records on a page.', min: 1, max, default: max }).optional()

export const withMetadataParameter = () =>
  flag({ description: 'false: only addresses and token ids.', default: true }).optional()

/** How long a request waits for metadata that is read again, in milliseconds. */
export const timeoutParameter = () =>
  parameter({
    description: 'How long a request with refreshCache waits for the metadata, in milliseconds.',
    allowed: 'a whole number of milliseconds',
    schema: { type: 'integer', minimum: 0 },
    parse: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
  }).optional()

/** What lists of a wallet omit, or hold alone. */
export const filterNames = ['SPAM', 'AIRDROPS'] as const

export const filtersParameter = (description: string) =>
  z
    .array(choice({ description, values: filterNames }))
    .describe(description)
    .optional()

export const tokenTypeParameter = () =>
  choice({ description: 'The standard, which this server knows.', values: ['ERC721', 'ERC1155'] }).optional()

/** The order of what a wallet holds; by contract where it is omitted. */
export const orderParameter = () =>
  choice({ description: 'transferTime: the last received first.', values: ['transferTime'] }).optional()
