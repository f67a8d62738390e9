import { z } from 'zod'
import { fileLayout, type NftFiles } from '../../../nft/fileQuery.ts'
import type { Answer } from '../../http/answer.ts'
import { matchesEtag, rowName } from '../../http/etag.ts'
import { defineRoute, type Exchange, type Route } from '../../http/route.ts'
import { type ApiChain, chainParameter, chainWithNode } from '../../nft/chains.ts'
import type { Collections } from '../../nft/collections/collections.ts'
import { reportedNow } from '../../nft/collections/reportCollection.ts'
import {
  fileAnswer,
  fileContentTypes,
  fileHeader,
  fileHeaderSchema,
  fileValidators,
  formatParameter,
} from '../../nft/fileAnswer.ts'
import { collectionSnapshot } from '../../nft/pages.ts'
import { indexHeaderSchema } from '../../nft/schemas.ts'
import { contractRoute } from './contractRoute.ts'

export type NftFileRoutesOptions = { chains: readonly ApiChain[]; collections: Collections; files: NftFiles }

const made = 'Created, kept and limited like a snapshot.'

/** Tokens and transfers of a contract, as files. */
export function nftExportRoutes({ chains, collections, files }: NftFileRoutesOptions): Route[] {
  const shared = {
    ...contractRoute,
    method: 'GET',
    produces: 'text',
    scheduled: 'none',
    query: z.object({ chain: chainParameter({ chains }).optional(), format: formatParameter().optional() }),
    errors: [404, 409],
  } as const
  const ok = (rows: 'x-export-tokens' | 'x-export-transfers') => ({
    description: 'The file.',
    contentType: fileContentTypes,
    hasParts: true,
    notModifiedHeaders: indexHeaderSchema,
    headers: fileHeaderSchema.extend({
      [rows]: fileHeader('Rows of the file.'),
      'x-export-version': fileHeader('Version of the collection before it was read.'),
      'x-export-end-version': fileHeader(
        'Version of the collection after it was read; the same as x-export-version: all rows are of one moment.',
      ),
    }),
  })

  async function answer(
    kind: 'tokens' | 'transfers',
    {
      params,
      query,
      exchange,
    }: { params: z.output<typeof shared.params>; query: z.output<typeof shared.query>; exchange: Exchange },
  ): Promise<Answer> {
    const chain = chainWithNode(query.chain, chains)
    const { format = 'csv' } = query
    const collection = collections.get(chain.id, params.address)
    const { state, version, report } = await collectionSnapshot({ collections, collection, exchange })
    const ofKind = kind === 'tokens' ? '' : `.${kind}`
    const validators = fileValidators(`W/"${rowName(state)}.${version}.${fileLayout}.${format}${ofKind}"`)
    if (matchesEtag(exchange.header('if-none-match'), validators[1]!))
      return { status: 304, headers: [...validators, ...reportedNow(report)], body: null }
    // Read before the file is made, so the file covers the reported block.
    const index = reportedNow(report)
    const keyId = exchange.key?.id ?? 0n
    const file = await files[kind]({ chainId: chain.id, address: params.address, state, format, keyId })
    const { rows, version: before, endVersion } = file.facts
    const facts = [`x-export-${kind}`, String(rows), 'x-export-version', before, 'x-export-end-version', endVersion]
    const name = `${params.address}-${kind}`
    return fileAnswer(file, { name, format, validators, headers: [...facts, ...index], exchange })
  }

  return [
    defineRoute({
      ...shared,
      path: '/api/v2/nft/{address}/export',
      operationId: 'exportContractNFTs',
      summary: 'All NFTs of a contract as a file',
      description: `The list of a contract in its order, token_hash descending, with metadata: in ndjson the records with normalized_metadata, else their members as columns. Cells of csv that begin with = + - @ get an apostrophe before them. ${made}`,
      ok: ok('x-export-tokens'),
      handle: (request) => answer('tokens', request),
    }),
    defineRoute({
      ...shared,
      path: '/api/v2/nft/{address}/transfers/export',
      operationId: 'exportContractTransfers',
      summary: 'All transfers of a contract as a file',
      description: `The transfers up to x-index-to-block, the earliest first. ${made}`,
      ok: ok('x-export-transfers'),
      handle: (request) => answer('transfers', request),
    }),
  ]
}
