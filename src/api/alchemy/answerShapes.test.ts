import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../test/api.ts'
import { seed, store, storeFailure } from '../../../test/metadataPages.ts'
import { hexToBuffer } from '../../util/hex.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
})
afterAll(() => api.drop())

// biome-ignore lint/suspicious/noExplicitAny: answers as they come.
type Answer = any

/** An answer with status 200. `createTestApi` compares it with openapi.json. */
async function read(target: string, body?: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'x-api-key': adminKey }
  const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await api.api.request(new Request(`http://localhost${target}`, { headers, ...post }))
  expect(response.status, `${target}: ${await response.clone().text()}`).toBe(200)
  return response.json()
}

const dialect = `/alchemy/eth-mainnet/nft/v3/${encodeURIComponent(adminKey)}`

/** Text of any characters, of which some are rare in metadata. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '"',
    '\\',
    '\u0000',
    '\u00e9',
    '\u2028',
    '\ud83d\ude00',
    '","last_metadata_sync":null',
    '{id}',
    'x'.repeat(5_000),
  ),
)
const uri = fc.oneof(fc.webUrl(), text, fc.constantFrom('ipfs://a', 'ar://b', 'data:image/svg+xml;utf8,<svg/>'))
const value = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null))
const attribute = fc.oneof(
  fc.record({ trait_type: value, value, display_type: text, max_value: value }, { requiredKeys: [] }),
  fc.jsonValue(),
)
/** Metadata in which each known field is missing, usual, or any JSON value. */
const metadata = fc.record(
  {
    name: fc.oneof(text, fc.jsonValue()),
    description: fc.oneof(text, fc.jsonValue()),
    image: fc.oneof(uri, fc.jsonValue()),
    animation_url: fc.oneof(uri, fc.jsonValue()),
    external_url: fc.oneof(uri, fc.jsonValue()),
    attributes: fc.oneof(
      fc.array(attribute, { maxLength: 5 }),
      fc.dictionary(text, value, { maxKeys: 5 }),
      fc.jsonValue(),
    ),
    properties: fc.jsonValue(),
  },
  { requiredKeys: [] },
)
const ofContract = fc.record({
  name: fc.oneof(fc.string(), fc.constant(null)),
  symbol: fc.oneof(fc.string(), fc.constant(null)),
  isSpam: fc.constantFrom(true, false, null),
})

test(
  'behavior: tokens of any metadata have the shape of openapi.json and the values of our own records',
  async () => {
    const property = fc.asyncProperty(
      fc.array(metadata, { minLength: 5, maxLength: 5 }),
      ofContract,
      async (shapes, contract) => {
        const failed = BigInt(shapes.length)
        const unread = 2n ** 256n - 1n
        const collection = await seed(api, [...shapes.map((_, i) => BigInt(i)), failed, unread])
        const texts = shapes.map((shape) => JSON.stringify(shape))
        await store(api, collection, new Map(texts.map((one, i) => [BigInt(i), one])))
        await storeFailure(api, collection, { tokenId: failed, uri: 'https://h.example/"', reason: 'HTTP 404' })
        await api.db.run(
          `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash)
         SELECT partition, collection_id, first_position, row_number() OVER (), token_id, '\\x00', owner, 1, '\\x02', '\\x03'
         FROM token WHERE collection_id = $1`,
          [collection.id],
        )
        const clean = (name: string | null) => name?.replaceAll('\u0000', '') ?? null
        await api.db.run('UPDATE collection SET name = $2, symbol = $3, spam_override = $4 WHERE address = $1', [
          hexToBuffer(collection.address),
          ...[clean(contract.name), clean(contract.symbol), contract.isSpam],
        ])
        const { result: own } = await read(
          `/api/v2/nft/${collection.address}?normalizeMetadata=true&media_items=true&order=token_id`,
        )
        const { nfts } = await read(
          `${dialect}/getNFTsForContract?contractAddress=${collection.address}&withMetadata=true`,
        )
        const tokens = own.map(({ token_id: tokenId }: Answer) => ({ contractAddress: collection.address, tokenId }))
        const { nfts: batch } = await read(`${dialect}/getNFTMetadataBatch`, { tokens })
        expect(batch).toEqual(nfts)
        for (const [i, token] of (own as Answer[]).entries()) {
          const {
            name = null,
            description = null,
            image = null,
            animation_url = null,
            attributes,
          } = token.normalized_metadata ?? {}
          expect(nfts[i]).toMatchObject({
            contract: {
              address: collection.address,
              name: clean(contract.name),
              symbol: clean(contract.symbol),
              isSpam: contract.isSpam ?? false,
            },
            ...{ tokenId: token.token_id, name, description, tokenUri: token.token_uri },
            image: { originalUrl: token.media?.original_media_url ?? image },
            animation: { originalUrl: animation_url },
            raw: { metadata: token.metadata === null ? {} : JSON.parse(token.metadata) },
          })
          const one = `contractAddress=${collection.address}&tokenId=${token.token_id}`
          expect(await read(`${dialect}/getNFTMetadata?${one}`)).toEqual(nfts[i])
          const { rarities } = await read(`${dialect}/computeRarity?${one}`)
          expect(rarities).toHaveLength((attributes ?? []).filter(({ value }: Answer) => value !== null).length)
        }
        await read(`${dialect}/summarizeNFTAttributes?contractAddress=${collection.address}`)
        await read(`${dialect}/getContractMetadata?contractAddress=${collection.address}`)
      },
    )
    await fc.assert(property, { numRuns: 10 })
  },
  patience.timeout,
)
