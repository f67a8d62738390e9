import { z } from 'zod'

/** Finds what an operator looks for by a text: at most `limit` of each kind, in bounded time. */
export type AdminSearch = (text: string, limit: number) => Promise<SearchReport>

/** Most items of each kind. */
export const mostFound = 20

/** Longest text that is searched for. */
export const longestSearch = 200

const chain = {
  chain: z.string().meta({ description: 'Name of the chain.', examples: ['eth'] }),
  chainId: z.string().meta({ description: 'Its id in hex.', examples: ['0x1'] }),
}
const address = z.string().meta({ description: 'Address of the contract.', examples: [`0x${'5a'.repeat(20)}`] })

const collection = z
  .object({
    ...chain,
    address,
    name: z.string().nullable().describe('As its contract says.'),
    status: z.string().meta({ description: 'Where it stands.', examples: ['live'] }),
    tokens: z.string().meta({ description: 'Tokens listed.', examples: ['10000'] }),
  })
  .meta({ id: 'FoundCollection', description: 'A collection that was found.' })

const token = z
  .object({
    ...chain,
    address,
    tokenId: z.string().meta({ description: 'Its id in decimal digits.', examples: ['7'] }),
    collectionName: z.string().nullable().describe('As its contract says.'),
  })
  .meta({ id: 'FoundToken', description: 'A token that was found.' })

const coin = z
  .object({
    network: z.string().meta({ description: 'Name of the network.', examples: ['mainnet'] }),
    coinType: z.string().meta({ description: 'Its type.', examples: ['0x1::aptos_coin::AptosCoin'] }),
    coinTypeHash: z.string().describe('SHA-256 of the type, in hex.'),
    name: z.string().describe('As its maker says.'),
    symbol: z.string().describe('As its maker says.'),
  })
  .meta({ id: 'FoundCoin', description: 'A coin that was found.' })

const stream = z
  .object({
    id: z.uuid().describe('The stream.'),
    tag: z.string().describe('Part of every webhook.'),
    description: z.string().describe('What it is for.'),
    status: z.string().meta({ description: 'Where it stands.', examples: ['active'] }),
    chains: z.array(z.string()).meta({ description: 'Names of the chains that it watches.', examples: [['eth']] }),
  })
  .meta({ id: 'FoundStream', description: 'A stream that was found.' })

const found = (item: z.ZodType, what: string) =>
  z
    .object({
      result: z.array(item).describe(`At most ${mostFound}.`),
      more: z.boolean().describe('There are others: a longer text finds fewer.'),
      cutShort: z.boolean().describe('There may be others: not everything could be looked at in time.'),
    })
    .describe(what)

export const searchSchema = z
  .object({
    collections: found(collection, 'By address, or how it begins, and by name.'),
    tokens: found(token, 'By id, address/id or chain/address/id.'),
    coins: found(coin, 'By type, its hash or how that begins, name and symbol.'),
    streams: found(stream, 'By tag, id or how it begins, and by an address that they watch.'),
  })
  .meta({ id: 'SearchResult', description: 'What was found, by kind.' })
export type SearchReport = z.infer<typeof searchSchema>
