import { z } from 'zod'
import { NotFoundError } from '../../../util/errors.ts'
import { type Answer, jsonAnswer } from '../../http/answer.ts'
import { address, tokenId } from '../../http/parameters.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { asOfParameter, MovedError } from '../../nft/asOf.ts'
import { chainParameter, chainWithNode } from '../../nft/chains.ts'
import { nftSchema } from '../../nft/schemas.ts'
import { snapshotBlock } from '../../nft/snapshotBlock.ts'
import { contractRouteAt } from './contractRoute.ts'
import type { NftSnapshotRoutesOptions } from './nftSnapshot.ts'

const hash = z.string().regex(/^0x[0-9a-f]{64}$/)
const digits = z.string().regex(/^\d+$/)

const proofSchema = z
  .object({
    root: hash.describe('Root of the tree, as x-snapshot-root.'),
    leaf: hash.describe('Hash of the leaf (address holder, uint256 token_id, uint256 amount).'),
    proof: z.array(hash).describe("The hashes for OpenZeppelin's MerkleProof."),
    holder: nftSchema.shape.token_address.describe('The holder.'),
    token_id: digits.describe('The token of the leaf.'),
    amount: digits.describe('Units of it that the holder had.'),
    token_ids: z.array(digits).describe('Tokens of the holder, at most 1,000; each has a leaf of its own.'),
    block: digits.describe('Number of the block.'),
    block_hash: hash.describe('Hash of the block.'),
  })
  .meta({ id: 'SnapshotProof', description: 'Proof that an address held a token at the end of a block.' })

/** A proof from the snapshot of a block. */
export function nftSnapshotProofRoutes({ chains, collections, files, asOf }: NftSnapshotRoutesOptions): Route[] {
  return [
    defineRoute({
      ...contractRouteAt,
      method: 'GET',
      path: '/api/v2/nft/{address}/snapshot/proof',
      operationId: 'getSnapshotProof',
      summary: 'Proof of a holding',
      description:
        'Proves to a contract that stores the root what an address held at the end of a block. The first request creates the snapshot. 404 for an address without tokens then.',
      scheduled: 'none',
      query: z.object({
        chain: chainParameter({ chains }).optional(),
        holder: address({ description: 'The holder.' }),
        token_id: tokenId({ description: 'The token; omitted: the first one of the holder.' }).optional(),
        as_of_block: asOfParameter('The block; omitted: the last final one that is covered.').optional(),
      }),
      ok: { description: 'The proof.', schema: proofSchema },
      async handle({ params, query, exchange }): Promise<Answer> {
        const chain = chainWithNode(query.chain, chains)
        const collection = collections.get(chain.id, params.address)
        const number = await snapshotBlock(
          { collections, files },
          { requested: query.as_of_block, collection, exchange },
        )
        const { holder, token_id: token = null } = query
        return asOf.read({
          ...{ collection, exchange, requested: { number, hash: null } },
          async read({ state }, found) {
            const { block, hash } = found
            const requested = { chainId: chain.id, address: params.address, state, keyId: exchange.key?.id ?? 0n }
            const made = await files.prove({ ...requested, block: { number: block, hash }, holder, tokenId: token })
            if (!made) throw new MovedError(`block ${block} is not ${hash} any more; retry`)
            if (!made.proof) {
              const what = token === null ? 'nothing' : `no token ${token}`
              throw new NotFoundError(
                `holder is ${holder}, which held ${what} of this contract at the end of block ${block}`,
                {
                  details: { parameter: 'holder' },
                },
              )
            }
            const { root, leaf, proof, tokenId, amount, tokenIds } = made.proof
            const body = { root, leaf, proof, holder, token_id: tokenId, amount, token_ids: tokenIds }
            return jsonAnswer(200, { ...body, block: String(block), block_hash: hash })
          },
        })
      },
    }),
  ]
}
