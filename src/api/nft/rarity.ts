import { z } from 'zod'
import type { CollectionState } from '../../nft/query.ts'
import { choice } from '../http/parameters.ts'
import { fault } from '../http/parseQuery.ts'
import { asOfHeaderSchema } from './schemas.ts'

/** The parameter `include`. */
export function includeParameter() {
  return choice({
    description: 'rarity: adds rarity_rank and rarity_percentage to records. The first request has the tokens ranked.',
    values: ['rarity'],
  })
}

/** Throws BadRequestError where places by rarity are asked for together with as_of_block. */
export function refuseRarityAsOf(include: 'rarity' | null | undefined): void {
  if (include === 'rarity')
    throw fault(
      'include',
      'is asked for together with as_of_block; allowed: one of the two, as metadata is that of today',
    )
}

export const rarityHeaderSchema = asOfHeaderSchema.extend({
  'x-rarity-documents': z
    .string()
    .optional()
    .describe('With include=rarity: how many documents were ranked; 0 until they are.'),
})

/** The header of an answer with places by rarity. */
export function rarityHeaders(state: CollectionState | undefined): string[] {
  return ['x-rarity-documents', String(state?.rarityDocuments ?? 0n)]
}
