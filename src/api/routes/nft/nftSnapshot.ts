import { z } from 'zod'
import { fileLayout, type NftFiles } from '../../../nft/fileQuery.ts'
import type { Answer } from '../../http/answer.ts'
import { matchesEtag } from '../../http/etag.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { type AsOfReader, asOfHeaders, asOfParameter, MovedError } from '../../nft/asOf.ts'
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
import { asOfHeaderSchema } from '../../nft/schemas.ts'
import { snapshotBlock } from '../../nft/snapshotBlock.ts'
import { contractRouteAt } from './contractRoute.ts'

export type NftSnapshotRoutesOptions = {
  chains: readonly ApiChain[]
  collections: Collections
  files: NftFiles
  asOf: AsOfReader
}

/** All holders of a contract at a block, as a file. Its Merkle root is known before the first byte is sent. */
export function nftSnapshotRoutes({ chains, collections, files, asOf }: NftSnapshotRoutesOptions): Route[] {
  return [
    defineRoute({
      ...contractRouteAt,
      method: 'GET',
      path: '/api/v2/nft/{address}/snapshot',
      operationId: 'getContractSnapshot',
      summary: 'All holders of a contract at a block as a file',
      description:
        'Token id, owner and amount of every holder at the end of a block, in the order of token ids, then owners. x-snapshot-root is the root of the standard tree of `@openzeppelin/merkle-tree` with the leaves (address owner, uint256 token id, uint256 amount); it is missing without holders. The file is made at the first request and kept; Range resumes its download. A key creates one file at a time, a server two; more requests get 429.',
      produces: 'text',
      scheduled: 'none',
      query: z.object({
        chain: chainParameter({ chains }).optional(),
        as_of_block: asOfParameter(
          'The holders at the end of this block, which has to be covered; omitted: the last final block that is covered.',
        ).optional(),
        format: formatParameter().optional(),
      }),
      ok: {
        description: 'The file.',
        contentType: fileContentTypes,
        hasParts: true,
        headers: fileHeaderSchema.extend({
          'x-as-of-block-hash': asOfHeaderSchema.shape['x-as-of-block-hash'],
          'x-snapshot-block': z.string().describe('Number of the block.'),
          'x-snapshot-block-hash': z.string().describe('Hash of the block.'),
          'x-snapshot-holders': fileHeader('Rows of the file.'),
          'x-snapshot-root': fileHeader('Root of the Merkle tree of all rows; missing if there are none.'),
          'x-snapshot-facts': fileHeader(
            'Facts of the snapshot, as JSON. `mintmark verify --snapshot` reads them beside the file, from its name with .json appended.',
          ),
        }),
      },
      async handle({ params, query, exchange }): Promise<Answer> {
        const chain = chainWithNode(query.chain, chains)
        const { format = 'csv' } = query
        const collection = collections.get(chain.id, params.address)
        const number = await snapshotBlock(
          { collections, files },
          { requested: query.as_of_block, collection, exchange },
        )
        const requested = { number, hash: null }
        return asOf.read({
          ...{ collection, exchange, requested },
          async read({ state, report }, found) {
            const { block: number, hash } = found
            const validators = fileValidators(`"${state.id}-${hash.slice(2)}-${fileLayout}-${format}"`)
            const named = ['x-snapshot-block', String(number), 'x-snapshot-block-hash', hash]
            const headers = [...named, ...asOfHeaders(reportedNow(report), found)]
            if (matchesEtag(exchange.header('if-none-match'), validators[1]!))
              return { status: 304, headers: [...validators, ...headers], body: null }
            const common = { chainId: chain.id, address: params.address, state, format }
            const file = await files.snapshot({ ...common, block: { number, hash }, keyId: exchange.key?.id ?? 0n })
            if (!file) throw new MovedError(`block ${number} is not ${hash} any more; retry`)
            const { standard, holders, root } = file.facts
            const counted = ['x-snapshot-holders', String(holders), ...(root ? ['x-snapshot-root', root] : [])]
            // The fields of the file that `mintmark snapshot` writes beside the snapshot.
            const facts = JSON.stringify({
              ...{ chain: chain.name, chainId: String(chain.id), contract: params.address, block: String(number) },
              ...{ standard, blockHash: hash, root, holders, format },
            })
            const name = `${params.address}-holders-${number}`
            return fileAnswer(file, {
              ...{ name, format, validators, exchange },
              headers: [...counted, 'x-snapshot-facts', facts, ...headers],
            })
          },
        })
      },
    }),
  ]
}
