import { z } from 'zod'
import type { FetchedMetadata, MetadataDemand, TokenMetadataState } from '../../../nft/demand.ts'
import type { CollectionState } from '../../../nft/query.ts'
import type { Address } from '../../../util/hex.ts'
import { type Answer, jsonAnswer } from '../../http/answer.ts'
import { NotInCollectionError } from '../../http/errors.ts'
import { address, choice, pageLimit, tokenId } from '../../http/parameters.ts'
import { defineRoute, type Exchange, type Route } from '../../http/route.ts'
import { type ApiChain, chainParameter, chainWithNode } from '../../nft/chains.ts'
import type { Collections, Snapshot } from '../../nft/collections/collections.ts'
import { type CollectionReport, reportedNow } from '../../nft/collections/reportCollection.ts'
import { collectionSnapshot } from '../../nft/pages.ts'
import { contractRoute } from './contractRoute.ts'

export type NftMetadataRoutesOptions = {
  chains: readonly ApiChain[]
  collections: Collections
  metadata: MetadataDemand
}

const token = '/api/v2/nft/{address}/{token_id}'

const time = z.iso.datetime().nullable()

const stateSchema = z.object({
  status: z
    .enum(['due', 'ok', 'failed', 'permanent'])
    .describe(
      'due and failed: the metadata is read at next_at; ok: it was read; permanent: it is read again only on request.',
    ),
  reason: z.string().nullable().describe('Why the metadata could not be read.'),
  attempts: z.int().min(0).describe('Attempts in a row that failed.'),
  tried_at: time.describe('When the metadata was last tried.'),
  next_at: time.describe('When the metadata is tried next; null: only on request.'),
})

const metadataSchema = z.object({
  document_hash: z.string().nullable().describe('SHA-256 of the metadata.'),
  token_uri: z.string().nullable().describe('URI of the metadata.'),
  metadata: z.string().nullable().describe('The metadata as JSON text.'),
  since: time.describe('When the metadata was first read.'),
  until: time.describe('When another version replaced it; null: it is the current one.'),
})

/** Routes to refresh metadata and to read its history. */
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
    ...contractRoute,
    method,
    path: `${token}/metadata/resync`,
    operationId: method === 'GET' ? 'reSyncMetadata' : 'reSyncMetadataByPost',
    summary: 'Refresh the metadata of a token',
    description:
      'Reads the metadata again, but no sooner than a minute after the last time. The response comes at once, with the state of the metadata.',
    params: tokenParams(),
    query: z.object({
      chain: chainParameter({ chains }).optional(),
      flag: choice({
        description: 'Either value reads both again, the URI and the metadata.',
        values: ['uri', 'metadata'],
        default: 'uri',
      }).optional(),
      mode: choice({
        description: 'Either value returns at once.',
        values: ['async', 'sync'],
        default: 'async',
      }).optional(),
    }),
    ok: { status: 202, description: 'State of the metadata.', schema: stateSchema },
    async handle({ params, query, exchange }): Promise<Answer> {
      const { state, report } = await snapshotOf(options, query.chain, params.address, exchange)
      const { address, token_id: tokenId } = params
      const [found] = state ? await metadata.resync([{ state, address, tokenId }]) : []
      if (!found) throw unknownToken(params, report)
      return jsonAnswer(202, stateBody(found))
    },
  })
}

function syncRoute(options: NftMetadataRoutesOptions): Route {
  const { chains, metadata } = options
  return defineRoute({
    ...contractRoute,
    method: 'PUT',
    path: '/api/v2/nft/{address}/sync',
    operationId: 'syncNFTContract',
    summary: 'Refresh the metadata of a contract',
    description: 'At most once in ten minutes. A contract that is not indexed yet is indexed.',
    query: z.object({ chain: chainParameter({ chains }).optional() }),
    ok: {
      status: 202,
      description: 'The refresh is requested.',
      schema: z.object({
        status: z.enum(['SYNCED', 'SYNCING']).describe('Whether ownership covers every block up to the head.'),
        metadata_progress: z.number().min(0).max(1).describe('Part of the metadata that is read, from 0 to 1.'),
      }),
    },
    async handle({ params, query, exchange }): Promise<Answer> {
      const { state, report } = await snapshotOf(options, query.chain, params.address, exchange)
      if (state) await metadata.resyncAll(state)
      return jsonAnswer(202, {
        status: report.at(performance.now()).status,
        metadata_progress: state?.metadataProgress ?? 0,
      })
    },
  })
}

function historyRoute(options: NftMetadataRoutesOptions): Route {
  const { chains, metadata } = options
  return defineRoute({
    ...contractRoute,
    method: 'GET',
    path: `${token}/metadata/history`,
    operationId: 'getNFTMetadataHistory',
    summary: 'Metadata history of an NFT',
    description:
      'Newest first. since and until show when a version was first read and when another one replaced it. The server keeps the current metadata and the latest 99 versions before it, of at most 16 MiB together.',
    params: tokenParams(),
    query: z.object({
      chain: chainParameter({ chains }).optional(),
      limit: pageLimit(),
    }),
    ok: {
      description: 'Versions of the metadata of the token.',
      schema: z.object({
        result: z.array(metadataSchema).describe('The versions.'),
        dropped: z.int().min(0).describe('How many older versions were removed; 0: the history is complete.'),
      }),
    },
    async handle({ params, query, exchange }): Promise<Answer> {
      const { state, report } = await snapshotOf(options, query.chain, params.address, exchange)
      const limit = query.limit ?? 100
      const found = state && (await metadata.history(state, params.address, params.token_id, limit))
      if (!found) throw unknownToken(params, report)
      return jsonAnswer(200, { result: found.metadata.map(metadataBody), dropped: found.dropped })
    },
  })
}

function snapshotOf(
  { chains, collections }: NftMetadataRoutesOptions,
  requested: ApiChain | undefined,
  contract: Address,
  exchange: Exchange,
): Promise<Snapshot & { state: CollectionState | undefined }> {
  const chain = chainWithNode(requested, chains)
  return collectionSnapshot({ collections, collection: collections.get(chain.id, contract), exchange })
}

function unknownToken(params: { address: Address; token_id: bigint }, report: CollectionReport): NotInCollectionError {
  return new NotInCollectionError(`token_id is ${params.token_id}, which is not known in ${params.address}`, {
    parameter: 'token_id',
    headers: reportedNow(report),
  })
}

function stateBody({ status, reason, attempts, triedAt, nextAt }: TokenMetadataState) {
  return { status, reason, attempts, tried_at: triedAt?.toISOString() ?? null, next_at: nextAt?.toISOString() ?? null }
}

function metadataBody({ metadataHash, tokenUri, metadata, since, until }: FetchedMetadata) {
  return {
    document_hash: metadataHash,
    token_uri: tokenUri,
    metadata,
    since: since?.toISOString() ?? null,
    until: until?.toISOString() ?? null,
  }
}
