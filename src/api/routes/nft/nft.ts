import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { AsOfQuery } from '../../../nft/asOfQuery.ts'
import type { NftQuery } from '../../../nft/query.ts'
import { type Answer, jsonType } from '../../http/answer.ts'
import { NotInCollectionError } from '../../http/errors.ts'
import { rowName } from '../../http/etag.ts'
import { address, tokenId } from '../../http/parameters.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { type AsOfReader, asOfHeaders, asOfParameter, requestedBlock } from '../../nft/asOf.ts'
import { type ApiChain, chainParameter, chainWithNode } from '../../nft/chains.ts'
import type { Collections, Snapshot } from '../../nft/collections/collections.ts'
import { reportedNow } from '../../nft/collections/reportCollection.ts'
import { cutPage, cutPageAsOf } from '../../nft/cutPage.ts'
import { includedOptions, includeParameter, isIncluded, packIncluded } from '../../nft/included.ts'
import { pageName, pageQuerySchema, readPageQuery } from '../../nft/pageQuery.ts'
import { ofOneBlock, type Pages } from '../../nft/pages.ts'
import type { PagesAsOf } from '../../nft/pagesAsOf.ts'
import { rarityHeaderSchema, rarityHeaders, rejectIncludeAsOf } from '../../nft/rarity.ts'
import { filledParameters, formatOfIds } from '../../nft/recordParameters.ts'
import { asOfOnlyHeaderSchema, nftPageSchema, nftSchema } from '../../nft/schemas.ts'
import type { Cursors } from '../../pages/cursor.ts'
import { validatorHeaders } from '../../pages/pageCache.ts'
import { contractRouteAt } from './contractRoute.ts'

export type NftRoutesOptions = {
  nft: NftQuery
  chains: readonly ApiChain[]
  collections: Collections
  pages: Pages
  pagesAsOf: PagesAsOf
  nftAsOf: AsOfQuery
  asOf: AsOfReader
  cursors: () => Promise<Cursors>
  /** Part of every ETag; different for another database or another program. */
  salt: () => Promise<string>
}

const pagePath = '/api/v2/nft/{address}'

/** NFTs of a contract, and one of them. */
export function nftRoutes(options: NftRoutesOptions): Route[] {
  return [pageRoute(options), tokenRoute(options)]
}

function pageRoute({ nft, nftAsOf, chains, collections, pages, pagesAsOf, cursors }: NftRoutesOptions): Route {
  return defineRoute({
    ...contractRouteAt,
    method: 'GET',
    path: pagePath,
    operationId: 'getContractNFTs',
    summary: 'NFTs of a contract',
    description:
      'In order of token_hash, descending. The first request for a contract starts its indexing, and pages contain the known part.',
    scheduled: 'inside',
    query: pageQuerySchema({ chains }),
    ok: { description: 'A page.', schema: nftPageSchema, headers: rarityHeaderSchema },
    async handle({ params, query, exchange }) {
      const signed = await cursors()
      const pageQuery = readPageQuery({ address: params.address, query, chains, cursors: signed })
      const page = {
        route: pagePath,
        collection: collections.get(pageQuery.chain.id, pageQuery.address),
        name: pageName(pageQuery),
      }
      const cut = { nft, nftAsOf, cursors: signed, query: pageQuery }
      const block = requestedBlock(pageQuery.place)
      if (block === null) {
        const { include, traits } = pageQuery.place.filters
        const headers = isIncluded(include, 'rarity') && { headers: rarityHeaders }
        const kind = traits === null ? '' : 'filtered'
        return pages.answer(
          { ...page, ...headers, kind, cut: (state, status) => cutPage({ ...cut, state, status }) },
          exchange,
        )
      }
      return pagesAsOf.answer(
        { ...page, requested: block, cut: (state, status, asOf) => cutPageAsOf({ ...cut, state, status, asOf }) },
        exchange,
      )
    },
  })
}

function tokenRoute({ nft, nftAsOf, chains, collections, asOf, salt }: NftRoutesOptions): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/v2/nft/{address}/{token_id}',
    operationId: 'getNFT',
    summary: 'One NFT',
    description: 'The record of one token; 404 if it is not listed, or not known yet.',
    ...contractRouteAt,
    params: z.object({
      address: address({ description: 'The contract.' }),
      token_id: tokenId({ description: 'The token, decimal or hex, whatever format says.' }),
    }),
    query: z.object({
      chain: chainParameter({ chains }).optional(),
      format: formatOfIds(),
      ...filledParameters(),
      as_of_block: asOfParameter().optional(),
      include: includeParameter(['rarity', 'spam', 'media_details', 'media_file']).optional(),
    }),
    ok: { description: 'The token.', schema: nftSchema, headers: rarityHeaderSchema },
    notFoundHeaders: asOfOnlyHeaderSchema,
    async handle({ params, query, exchange }): Promise<Answer> {
      const chain = chainWithNode(query.chain, chains)
      const collection = collections.get(chain.id, params.address)
      const include = packIncluded(query.include)
      const written = {
        hex: query.format === 'hex',
        normalized: query.normalizeMetadata ?? false,
        media: query.media_items ?? false,
        ...includedOptions(include),
      }
      const { as_of_block } = query
      const token = { address: params.address, tokenId: params.token_id, ...written }
      if (as_of_block === undefined) {
        return ofOneBlock({ collections, collection, exchange }, async (snapshot, state) => {
          const record = state && (await nft.token(state, params.address, params.token_id, written))
          const index = written.rarity && record ? rarityHeaders(state) : []
          return answer(snapshot, record, [...reportedNow(snapshot.report), ...index], '')
        })
      }
      rejectIncludeAsOf(include)
      return asOf.read({
        collection,
        exchange,
        requested: { number: as_of_block, hash: null },
        async read(snapshot, found) {
          const { state, report } = snapshot
          const record = await asOf.cut(exchange, () => nftAsOf.token({ state, ...token, asOf: found }))
          return answer(snapshot, record, asOfHeaders(reportedNow(report), found), `at ${as_of_block} ${found.hash}`)
        },
      })

      /** `at`: the requested block; empty: now. */
      async function answer(
        { state, version }: Snapshot,
        record: Buffer | undefined,
        index: readonly string[],
        at: string,
      ): Promise<Answer> {
        if (record === undefined)
          throw new NotInCollectionError(
            `token_id is ${params.token_id}, which ${at === '' ? 'is' : 'was'} not listed in ${params.address}${at === '' ? '' : ` at the end of block ${as_of_block}`}`,
            { parameter: 'token_id', headers: index },
          )
        const mark = createHash('sha256')
          .update(`${await salt()} ${params.token_id} ${JSON.stringify(written)}${at}`)
          .digest('base64url')
        const etag = `W/"${rowName(state)}.${version}.${mark.slice(0, 16)}"`
        return { status: 200, headers: ['content-type', jsonType, ...validatorHeaders(etag), ...index], body: record }
      }
    },
  })
}
