import { z } from 'zod'
import { fileLayout, type NftFiles } from '../../nft/fileQuery.ts'
import type { Answer } from '../http/answer.ts'
import { matchesEtag, rowName } from '../http/etag.ts'
import { address } from '../http/parameters.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { type ApiChain, chainParameter, chainWithNode } from '../nft/chains.ts'
import type { Collections } from '../nft/collections.ts'
import {
  fileAnswer,
  fileContentTypes,
  fileHeader,
  fileHeaderSchema,
  fileValidators,
  formatParameter,
} from '../nft/fileAnswer.ts'
import { collectionSnapshot } from '../nft/pages.ts'
import { reportedNow } from '../nft/reportCollection.ts'
import { indexOnlyHeaderSchema } from '../nft/schemas.ts'

export type NftFileRoutesOptions = { chains: readonly ApiChain[]; collections: Collections; files: NftFiles }

/** The tokens of a contract with their metadata, as a file. */
export function nftExportRoutes({ chains, collections, files }: NftFileRoutesOptions): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v2/nft/{address}/export',
      operationId: 'exportContractNFTs',
      summary: 'All NFTs of a contract as a file',
      description:
        'The list of a contract in its order, token_hash descending, with metadata: in ndjson the records with normalized_metadata, in csv their members as columns. The file is made when it is first asked for, read page by page, and kept while the collection does not change. A key has one file made at once, a server two: 429. Cells of csv that begin with = + - @ get an apostrophe before them. Also at /api/v2.2.',
      tag: 'NFTs',
      access: 'read',
      produces: 'text',
      scheduled: 'none',
      params: z.object({ address: address({ description: 'The contract.' }) }),
      query: z.object({ chain: chainParameter({ chains }).optional(), format: formatParameter().optional() }),
      ok: {
        description: 'The file.',
        contentType: fileContentTypes,
        headers: fileHeaderSchema.extend({
          'x-export-tokens': fileHeader('Rows of the file.'),
          'x-export-version': fileHeader('Version of the collection before it was read.'),
          'x-export-end-version': fileHeader(
            'Version of the collection after it was read; the same as x-export-version: all rows are of one moment.',
          ),
        }),
      },
      errors: [404, 409],
      notFoundHeaders: indexOnlyHeaderSchema,
      async handle({ params, query, exchange }): Promise<Answer> {
        const chain = chainWithNode(query.chain, chains)
        const { format = 'csv' } = query
        const collection = collections.get(chain.id, params.address)
        const { state, version, report } = await collectionSnapshot({ collections, collection, exchange })
        const validators = fileValidators(`W/"${rowName(state)}.${version}.${fileLayout}.${format}"`)
        const ifNoneMatch = exchange.header('if-none-match')
        if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, validators[1]!))
          return { status: 304, headers: [...validators, ...reportedNow(report)], body: null }
        // Told before the file is made: all up to the block that it names is in the file.
        const index = reportedNow(report)
        const keyId = exchange.key?.id ?? 0n
        const file = await files.tokens({ chainId: chain.id, address: params.address, state, format, keyId })
        const { tokens, version: before, endVersion } = file.facts
        const facts = [
          'x-export-tokens',
          String(tokens),
          'x-export-version',
          before,
          'x-export-end-version',
          endVersion,
        ]
        const name = `${params.address}-tokens`
        return fileAnswer(file, { name, format, headers: [...validators, ...facts, ...index] })
      },
    }),
  ]
}
