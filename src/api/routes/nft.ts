import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { NftQuery } from '../../nft/query.ts'
import type { Answer } from '../http/answer.ts'
import { jsonType } from '../http/answer.ts'
import { NotInCollectionError } from '../http/errors.ts'
import { matchesEtag, rowName } from '../http/etag.ts'
import { address, choice, flag, tokenId } from '../http/parameters.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { type ApiChain, chainParameter, chainWithNode } from '../nft/chains.ts'
import type { Collections } from '../nft/collections.ts'
import { cutPage } from '../nft/cutPage.ts'
import { pagePayload, pageQuerySchema, readPageQuery } from '../nft/pageQuery.ts'
import { collectionSnapshot, type Pages } from '../nft/pages.ts'
import { indexHeaderSchema, indexOnlyHeaderSchema, nftPageSchema, nftSchema } from '../nft/schemas.ts'
import { toldNow } from '../nft/tellCollection.ts'
import type { Cursors } from '../pages/cursor.ts'
import { validatorHeaders } from '../pages/pageCache.ts'

export type NftRoutesOptions = {
  nft: NftQuery
  chains: readonly ApiChain[]
  collections: Collections
  pages: Pages
  cursors: () => Promise<Cursors>
  /** Part of every ETag; different for another database or another program. */
  salt: () => Promise<string>
}

const tag = 'NFTs'

const pagePath = '/api/v2/nft/{address}'

/** NFTs of a contract, and one of them. */
export function nftRoutes(options: NftRoutesOptions): Route[] {
  return [pageRoute(options), tokenRoute(options)]
}

function pageRoute({ nft, chains, collections, pages, cursors }: NftRoutesOptions): Route {
  return defineRoute({
    method: 'GET',
    path: pagePath,
    operationId: 'getContractNFTs',
    summary: 'NFTs of a contract',
    description:
      'In order of token_hash, descending. The first request for a contract starts its indexing, and pages hold what is known so far. Also at /api/v2.2.',
    tag,
    access: 'read',
    produces: 'json',
    params: z.object({ address: address({ description: 'The contract.' }) }),
    query: pageQuerySchema({ chains }),
    ok: { description: 'A page.', schema: nftPageSchema, headers: indexHeaderSchema },
    errors: [404],
    notFoundHeaders: indexOnlyHeaderSchema,
    async handle({ params, query, exchange }) {
      const signed = await cursors()
      const pageQuery = readPageQuery({ address: params.address, query, chains, cursors: signed })
      return pages.answer(
        {
          route: pagePath,
          collection: collections.get(pageQuery.chain.id, pageQuery.address),
          name: JSON.stringify(pagePayload(pageQuery)),
          cut: (state, status) => cutPage({ nft, cursors: signed, query: pageQuery, state, status }),
        },
        exchange,
      )
    },
  })
}

function tokenRoute({ nft, chains, collections, salt }: NftRoutesOptions): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/v2/nft/{address}/{token_id}',
    operationId: 'getNFT',
    summary: 'One NFT',
    description: 'The record of one token; 404 where it is not listed, or not known yet. Also at /api/v2.2.',
    tag,
    access: 'read',
    produces: 'json',
    params: z.object({
      address: address({ description: 'The contract.' }),
      token_id: tokenId({ description: 'The token, decimal or hex, whatever format says.' }),
    }),
    query: z.object({
      chain: chainParameter({ chains }).optional(),
      format: choice({
        description: 'How token_id is written.',
        values: ['decimal', 'hex'],
        default: 'decimal',
      }).optional(),
      normalizeMetadata: flag({ description: 'Fill normalized_metadata.', default: false }).optional(),
      media_items: flag({ description: 'Fill media.', default: false }).optional(),
    }),
    ok: { description: 'The token.', schema: nftSchema, headers: indexHeaderSchema },
    errors: [404],
    notFoundHeaders: indexOnlyHeaderSchema,
    async handle({ params, query, exchange }): Promise<Answer> {
      const chain = chainWithNode(query.chain, chains)
      const collection = collections.get(chain.id, params.address)
      const { state, version, tell } = await collectionSnapshot({ collections, collection, exchange })
      const written = {
        hex: query.format === 'hex',
        normalized: query.normalizeMetadata ?? false,
        media: query.media_items ?? false,
      }
      const mark = createHash('sha256')
        .update(`${await salt()} ${params.token_id} ${JSON.stringify(written)}`)
        .digest('base64url')
      const etag = `W/"${rowName(state)}.${version}.${mark.slice(0, 16)}"`
      const index = toldNow(tell)
      const record = state && (await nft.token(state, params.address, params.token_id, written))
      if (record === undefined)
        throw new NotInCollectionError(`token_id is ${params.token_id}, which is not listed in ${params.address}`, {
          parameter: 'token_id',
          headers: index,
        })
      const validators = [...validatorHeaders(etag), ...index]
      const ifNoneMatch = exchange.header('if-none-match')
      if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag))
        return { status: 304, headers: validators, body: null }
      return { status: 200, headers: ['content-type', jsonType, ...validators], body: record }
    },
  })
}
