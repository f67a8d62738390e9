import { z } from 'zod'
import type { Address } from '../../util/hex.ts'
import { address, choice, flag, parameter, tokenId, wholeNumber } from '../http/parameters.ts'

/** Alchemy's limit of contracts in a request about a wallet. */
export const mostContracts = 45

export const contractAddress = () => address({ description: 'The contract.' })

/** A token id, decimal or hex. Answers of this dialect show it in decimal. */
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

/** A contract, with the spelling of the client. */
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
  wholeNumber({ description: 'Maximum records per page.', min: 1, max, default: max }).optional()

export const withMetadataParameter = () =>
  flag({ description: 'false: only addresses and token ids.', default: true }).optional()

/** How long a request waits for refreshed metadata, in milliseconds. */
export const timeoutParameter = () =>
  parameter({
    description: 'How long a request with refreshCache waits for the metadata, in milliseconds.',
    allowed: 'a whole number of milliseconds',
    schema: { type: 'integer', minimum: 0 },
    parse: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
  }).optional()

/** Filters of a wallet's lists, to exclude or to include alone. */
export const filterNames = ['SPAM', 'AIRDROPS'] as const

export const filtersParameter = (description: string) =>
  z
    .array(choice({ description, values: filterNames }))
    .describe(description)
    .optional()

export const tokenTypeParameter = () =>
  choice({ description: 'The standard, which this server knows.', values: ['ERC721', 'ERC1155'] }).optional()

/** Order of a wallet's tokens; default: by contract. */
export const orderParameter = () =>
  choice({ description: 'transferTime: the last received first.', values: ['transferTime'] }).optional()
