import { z } from 'zod'
import type { MetadataDemand, TokenDocument, TokenMetadataState } from '../../nft/demand.ts'
import type { CollectionState } from '../../nft/query.ts'
import type { Address } from '../../util/hex.ts'
import { type Answer, jsonAnswer } from '../http/answer.ts'
import { NotInCollectionError } from '../http/errors.ts'
import { address, choice, tokenId, wholeNumber } from '../http/parameters.ts'
import { defineRoute, type Exchange, type Route } from '../http/route.ts'
import { type ApiChain, chainParameter, chainWithNode } from '../nft/chains.ts'
import type { Collections, Snapshot } from '../nft/collections.ts'
import { collectionSnapshot } from '../nft/pages.ts'
import { indexOnlyHeaderSchema } from '../nft/schemas.ts'
import { type TellCollection, toldNow } from '../nft/tellCollection.ts'

export type NftMetadataRoutesOptions = {
  chains: readonly ApiChain[]
  collections: Collections
  metadata: MetadataDemand
}

const tag = 'NFTs'
const token = '/api/v2/nft/{address}/{token_id}'

const time = z.iso.datetime().nullable()

const stateSchema = z.object({
  status: z
    .enum(['due', 'ok', 'failed', 'permanent'])
    .describe('due: it is read at next_at; permanent: only on demand.'),
  reason: z.string().nullable().describe('Why it could not be read.'),
  attempts: z.int().min(0).describe('Attempts in a row that failed.'),
  tried_at: time.describe('When it was last tried.'),
  next_at: time.describe('When it is tried next; null: on demand.'),
})

const documentSchema = z.object({
  document_hash: z.string().nullable().describe('SHA-256 of the document.'),
  token_uri: z.string().nullable().describe('Where it was.'),
  metadata: z.string().nullable().describe('The document as JSON text.'),
  since: time.describe('When it was first read.'),
  until: time.describe('null: it is what the token says now.'),
})

/** What can be asked of a token's metadata besides its record. */
export function nftMetadataRoutes(options: NftMetadataRoutesOptions): Route[] {
  return [resyncRoute(options, 'GET'), resyncRoute(options, 'POST'), syncRoute(options), historyRoute(options)]
}

function tokenParams() {
  return z.object({
    address: address({ description: 'The contract.' }),
    token_id: tokenId({ description: 'The token, decimal or hex.' }),
  })
}

function resyncRoute(options: NftMetadataRoutesOptions, method: 'GET' | 'POST'): Route {
  const { chains, metadata } = options
  return defineRoute({
    method,
    path: `${token}/metadata/resync`,
    operationId: method === 'GET' ? 'reSyncMetadata' : 'reSyncMetadataByPost',
    summary: "Read a token's metadata again",
    description: 'Not sooner than a minute after it was last read. Answers at once with where it stands.',
    tag,
    access: 'read',
    produces: 'json',
    params: tokenParams(),
    query: z.object({
      chain: chainParameter({ chains }).optional(),
      flag: choice({
        description: 'What is read: the URI and the document behind it, both in any case.',
        values: ['uri', 'metadata'],
        default: 'uri',
      }).optional(),
      mode: choice({
        description: 'Both answer at once.',
        values: ['async', 'sync'],
        default: 'async',
      }).optional(),
    }),
    ok: { status: 202, description: 'It is due.', schema: stateSchema },
    errors: [404],
    notFoundHeaders: indexOnlyHeaderSchema,
    async handle({ params, query, exchange }): Promise<Answer> {
      const { state, tell } = await snapshotOf(options, query.chain, params.address, exchange)
      const found = state && (await metadata.resync(state, params.address, params.token_id))
      if (!found) throw unknownToken(params, tell)
      return jsonAnswer(202, stateBody(found))
    },
  })
}

function syncRoute(options: NftMetadataRoutesOptions): Route {
  const { chains, metadata } = options
  return defineRoute({
    method: 'PUT',
    path: '/api/v2/nft/{address}/sync',
    operationId: 'syncNFTContract',
    summary: 'Read the metadata of a whole contract again',
    description: 'Ten minutes apart at least. A contract that is not indexed yet is indexed.',
    tag,
    access: 'read',
    produces: 'json',
    params: z.object({ address: address({ description: 'The contract.' }) }),
    query: z.object({ chain: chainParameter({ chains }).optional() }),
    ok: {
      status: 202,
      description: 'It is asked for.',
      schema: z.object({
        status: z.enum(['SYNCED', 'SYNCING']).describe('Whether ownership covers every block up to the head.'),
        metadata_progress: z.number().min(0).max(1).describe('Read part of the metadata, from 0 to 1.'),
      }),
    },
    errors: [404],
    notFoundHeaders: indexOnlyHeaderSchema,
    async handle({ params, query, exchange }): Promise<Answer> {
      const { state, tell } = await snapshotOf(options, query.chain, params.address, exchange)
      if (state) await metadata.resyncAll(state)
      return jsonAnswer(202, {
        status: tell.at(performance.now()).status,
        metadata_progress: state?.metadataProgress ?? 0,
      })
    },
  })
}

function historyRoute(options: NftMetadataRoutesOptions): Route {
  const { chains, metadata } = options
  return defineRoute({
    method: 'GET',
    path: `${token}/metadata/history`,
    operationId: 'getNFTMetadataHistory',
    summary: 'What a token says and said before',
    description:
      'Newest first. A document holds from when it was first read until another one was. Kept are the one of now and the latest 99 before it, of at most 16 MiB together.',
    tag,
    access: 'read',
    produces: 'json',
    params: tokenParams(),
    query: z.object({
      chain: chainParameter({ chains }).optional(),
      limit: wholeNumber({ description: 'Most documents.', min: 1, max: 100, default: 100 }).optional(),
    }),
    ok: {
      description: 'Its documents.',
      schema: z.object({
        result: z.array(documentSchema).describe('The documents.'),
        dropped: z.int().min(0).describe('Older documents that are kept no more; 0: the history is whole.'),
      }),
    },
    errors: [404],
    notFoundHeaders: indexOnlyHeaderSchema,
    async handle({ params, query, exchange }): Promise<Answer> {
      const { state, tell } = await snapshotOf(options, query.chain, params.address, exchange)
      const limit = query.limit ?? 100
      const found = state && (await metadata.history(state, params.address, params.token_id, limit))
      if (!found) throw unknownToken(params, tell)
      return jsonAnswer(200, { result: found.documents.map(documentBody), dropped: found.dropped })
    },
  })
}

function snapshotOf(
  { chains, collections }: NftMetadataRoutesOptions,
  asked: ApiChain | undefined,
  contract: Address,
  exchange: Exchange,
): Promise<Snapshot & { state: CollectionState | undefined }> {
  const chain = chainWithNode(asked, chains)
  return collectionSnapshot({ collections, collection: collections.get(chain.id, contract), exchange })
}

function unknownToken(params: { address: Address; token_id: bigint }, tell: TellCollection): NotInCollectionError {
  return new NotInCollectionError(`token_id is ${params.token_id}, which is not known in ${params.address}`, {
    parameter: 'token_id',
    headers: toldNow(tell),
  })
}

function stateBody({ status, reason, attempts, triedAt, nextAt }: TokenMetadataState) {
  return { status, reason, attempts, tried_at: triedAt?.toISOString() ?? null, next_at: nextAt?.toISOString() ?? null }
}

function documentBody({ documentHash, tokenUri, metadata, since, until }: TokenDocument) {
  return {
    document_hash: documentHash,
    token_uri: tokenUri,
    metadata,
    since: since?.toISOString() ?? null,
    until: until?.toISOString() ?? null,
  }
}
