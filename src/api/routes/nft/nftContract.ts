import { z } from 'zod'
import type { OriginQuery } from '../../../nft/originQuery.ts'
import type { CollectionState } from '../../../nft/query.ts'
import type { Address } from '../../../util/hex.ts'
import { type Answer, jsonType } from '../../http/answer.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { type ApiChain, chainParameter, chainWithNode } from '../../nft/chains.ts'
import type { Collections } from '../../nft/collections/collections.ts'
import { reportedNow } from '../../nft/collections/reportCollection.ts'
import { includeParameter, isIncluded, packIncluded } from '../../nft/included.ts'
import { collectionSnapshot } from '../../nft/pages.ts'
import { indexHeaderSchema, nftSchema } from '../../nft/schemas.ts'
import { revalidated } from '../../pages/pageCache.ts'
import { contractRoute } from './contractRoute.ts'

export type NftContractRoutesOptions = {
  chains: readonly ApiChain[]
  collections: Collections
  origins: Pick<OriginQuery, 'metadata'>
}

const { token_address, name, symbol, contract_type, possible_spam, verified_collection } = nftSchema.shape

const contractSchema = z
  .object({
    token_address,
    name,
    symbol,
    contract_type: contract_type.describe(
      'Standard that the contract claims, ERC1155 if it claims both, or that its first log showed. Its tokens may be of both. null: not known yet, or none.',
    ),
    synced_at: z.iso
      .datetime()
      .nullable()
      .describe('When the server queried the contract for its name, symbol and standard; null: not yet.'),
    possible_spam,
    verified_collection,
    contract_uri: z
      .record(z.string(), z.string().nullable())
      .nullable()
      .optional()
      .describe(
        'With include=contract_uri: name, description, image, banner_image and external_link by contractURI() (ERC-7572); null: none, or not read yet.',
      ),
  })
  .meta({ id: 'NftContract', description: 'Metadata of a contract.' })

/** A contract's own metadata. */
export function nftContractRoutes({ chains, collections, origins }: NftContractRoutesOptions): Route[] {
  return [
    defineRoute({
      ...contractRoute,
      method: 'GET',
      path: '/api/v2/nft/{address}/metadata',
      operationId: 'getNFTContractMetadata',
      summary: 'Metadata of a contract',
      description:
        'Name, symbol and standard of a contract. The first request for a contract starts its indexing; until the server has queried the contract, they are null.',
      query: z.object({
        chain: chainParameter({ chains }).optional(),
        include: includeParameter(['contract_uri']).optional(),
      }),
      ok: { description: 'The contract.', schema: contractSchema, headers: indexHeaderSchema },
      async handle({ params, query, exchange }): Promise<Answer> {
        const chain = chainWithNode(query.chain, chains)
        const collection = collections.get(chain.id, params.address)
        const { state, report } = await collectionSnapshot({ collections, collection, exchange })
        const more = isIncluded(packIncluded(query.include), 'contract_uri') && {
          contract_uri: await metadataOf(origins, state),
        }
        const body = Buffer.from(JSON.stringify({ ...contractBody(params.address, state), ...more }))
        return { status: 200, headers: ['content-type', jsonType, ...revalidated, ...reportedNow(report)], body }
      },
    }),
  ]
}

async function metadataOf({ metadata }: Pick<OriginQuery, 'metadata'>, state: CollectionState | undefined) {
  // An unchecked contract has no metadata to request yet.
  const [found] = state && state.checkedAt !== null ? await metadata([{ state }], { isNamed: true }) : []
  if (!found || Object.values(found).every((value) => value === null)) return null
  const { name, description, image, bannerImage: banner_image, externalLink: external_link } = found
  return { name, description, image, banner_image, external_link }
}

function contractBody(token_address: Address, state: CollectionState | undefined): z.output<typeof contractSchema> {
  const checkedAt = state?.checkedAt ?? null
  return {
    token_address,
    name: state?.name ?? null,
    symbol: state?.symbol ?? null,
    contract_type: state?.standard ?? null,
    synced_at: checkedAt === null ? null : new Date(checkedAt).toISOString(),
    possible_spam: state?.possibleSpam ?? false,
    verified_collection: state?.verified ?? false,
  }
}
