import { z } from 'zod'

/** Searches by a text: at most `limit` results of each kind, in bounded time. Streams are searched only with `streams`. */
export type AdminSearch = (text: string, limit: number, options: { streams: boolean }) => Promise<SearchReport>

/** Most items of each kind. */
export const mostFound = 20

/** Longest search text: types of coins contain types of other coins. */
export const longestSearch = 2_000

const chain = {
  chain: z.string().meta({ description: 'Name of the chain.', examples: ['eth'] }),
  chainId: z.string().meta({ description: 'Id of the chain in hex.', examples: ['0x1'] }),
}
const address = z.string().meta({ description: 'Address of the contract.', examples: [`0x${'5a'.repeat(20)}`] })

const collection = z
  .object({
    ...chain,
    address,
    name: z.string().nullable().describe('Name that the contract returns.'),
    status: z.string().meta({ description: 'Status of the collection.', examples: ['live'] }),
    tokens: z.string().meta({ description: 'Tokens listed.', examples: ['10000'] }),
  })
  .meta({ id: 'FoundCollection', description: 'A collection that was found.' })

const token = z
  .object({
    ...chain,
    address,
    tokenId: z.string().meta({ description: 'Id of the token in decimal digits.', examples: ['7'] }),
    collectionName: z.string().nullable().describe('Name that the contract returns.'),
  })
  .meta({ id: 'FoundToken', description: 'A token that was found.' })

const coin = z
  .object({
    network: z.string().meta({ description: 'Name of the network.', examples: ['mainnet'] }),
    standard: z.enum(['v1', 'v2']).describe('v2: a fungible asset.'),
    coinType: z.string().describe('Type or address.'),
    coinTypeHash: z.string().describe('SHA-256 of it.'),
    name: z.string().describe('Name of the coin.'),
    symbol: z.string().describe('Symbol of the coin.'),
  })
  .meta({ id: 'FoundCoin', description: 'A coin that was found.' })

const stream = z
  .object({
    id: z.uuid().describe('The stream.'),
    tag: z.string().describe('Part of every webhook.'),
    description: z.string().describe('What the stream is for.'),
    status: z.string().meta({ description: 'Status of the stream.', examples: ['active'] }),
    chains: z
      .array(z.string())
      .meta({ description: 'Names of the chains that the stream watches.', examples: [['eth']] }),
  })
  .meta({ id: 'FoundStream', description: 'A stream that was found.' })

const found = (item: z.ZodType, what: string) =>
  z
    .object({
      result: z.array(item).describe(`At most ${mostFound} items.`),
      more: z.boolean().describe('Whether there are more results; a longer search term finds fewer.'),
      cutShort: z.boolean().describe('Whether the search ended early, so that more results may exist.'),
    })
    .describe(what)

const records = {
  collections: found(collection, 'Found by address or its beginning, and by name.'),
  tokens: found(token, 'Found by id, address/id or chain/address/id.'),
  coins: found(coin, 'Found by type or address, their hash, name and symbol.'),
}

/** Search results for every key. */
export const recordSearchSchema = z
  .object(records)
  .meta({ id: 'FoundRecords', description: 'Collections, tokens and coins that were found.' })

export const searchSchema = z
  .object({
    ...records,
    streams: found(stream, 'Found by tag, by id or its beginning, and by an address that the stream watches.'),
  })
  .meta({ id: 'SearchResult', description: 'Results by kind.' })
export type SearchReport = z.infer<typeof searchSchema>
