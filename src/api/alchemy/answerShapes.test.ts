import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../test/api.ts'
import { seed, store, storeFailure } from '../../../test/metadataPages.ts'
import type { Address } from '../../util/hex.ts'

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
const storable = fc.string().map((name) => name.replaceAll('\u0000', ''))
const columns = fc.record({
  name: fc.option(storable),
  symbol: fc.option(storable),
  spam_override: fc.constantFrom(true, false, null),
})

/** Stores a collection: a token for each metadata, one whose metadata could not be read, and one that was not read yet. */
async function storeCollection(documents: object[], { name, symbol, spam_override }: Columns): Promise<Address> {
  const failed = BigInt(documents.length)
  const ids = documents.map((_, i) => BigInt(i))
  const collection = await seed(api, [...ids, failed, 2n ** 256n - 1n])
  await store(api, collection, new Map(documents.map((one, i) => [BigInt(i), JSON.stringify(one)])))
  await storeFailure(api, collection, { tokenId: failed, uri: 'https://h.example/"', reason: 'HTTP 404' })
  // The order of token ids is that of an index of transfers.
  await api.db.run(
    `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash)
     SELECT partition, collection_id, first_position, row_number() OVER (), token_id, '\\x00', owner, 1, '\\x02', '\\x03'
     FROM token WHERE collection_id = $1`,
    [collection.id],
  )
  const values = [collection.id, name, symbol, spam_override]
  await api.db.run('UPDATE collection SET name = $2, symbol = $3, spam_override = $4 WHERE id = $1', values)
  return collection.address
}

type Columns = { name: string | null; symbol: string | null; spam_override: boolean | null }

/** The fields of a token that both dialects have, of our own record. */
function shownOf({ token_address: address, token_id: tokenId, ...record }: Answer, columns: Columns) {
  const { name, symbol, spam_override } = columns
  const normalized = record.normalized_metadata
  return {
    contract: { address, name, symbol, isSpam: spam_override ?? false },
    ...{ tokenId, tokenUri: record.token_uri },
    ...{ name: normalized?.name ?? null, description: normalized?.description ?? null },
    image: { originalUrl: record.media?.original_media_url ?? null },
    animation: { originalUrl: normalized?.animation_url ?? null },
    raw: { tokenUri: record.token_uri, metadata: record.metadata === null ? {} : JSON.parse(record.metadata) },
  }
}

test('behavior: tokens of any metadata have the shape of openapi.json and the values of our own records', async () => {
  const fiveDocuments = fc.array(metadata, { minLength: 5, maxLength: 5 })
  const property = fc.asyncProperty(fiveDocuments, columns, async (documents, contract) => {
    const address = await storeCollection(documents, contract)
    const parameters = 'normalizeMetadata=true&media_items=true&order=token_id'
    const { result: records } = await read(`/api/v2/nft/${address}?${parameters}`)
    expect(records).toHaveLength(7)
    const { nfts } = await read(`${dialect}/getNFTsForContract?contractAddress=${address}&withMetadata=true`)
    expect(nfts).toMatchObject(records.map((record: Answer) => shownOf(record, contract)))
    const tokens = nfts.map(({ tokenId }: Answer) => ({ contractAddress: address, tokenId }))
    expect((await read(`${dialect}/getNFTMetadataBatch`, { tokens })).nfts).toEqual(nfts)
    for (const [i, { token_id, normalized_metadata: normalized }] of records.entries()) {
      const token = `contractAddress=${address}&tokenId=${token_id}`
      expect(await read(`${dialect}/getNFTMetadata?${token}`)).toEqual(nfts[i])
      const valued = (normalized?.attributes ?? []).filter((attribute: Answer) => attribute.value !== null)
      expect((await read(`${dialect}/computeRarity?${token}`)).rarities).toHaveLength(valued.length)
    }
    await read(`${dialect}/summarizeNFTAttributes?contractAddress=${address}`)
    await read(`${dialect}/getContractMetadata?contractAddress=${address}`)
  })
  await fc.assert(property, { numRuns: 10 })
})
