import { z } from 'zod'
import type { CollectionState } from '../../nft/query.ts'
import { choice } from '../http/parameters.ts'
import { fault } from '../http/parseQuery.ts'
import { asOfHeaderSchema } from './schemas.ts'

/** The parameter `include`. */
export function includeParameter() {
  return choice({
    description:
      'rarity: adds rarity_rank and rarity_percentage to records. The first request has the tokens ranked. spam: adds spam_score and spam_reasons. media_details: adds size, duration and animation to media.',
    values: ['rarity', 'spam', 'media_details'],
  })
}

/** What records have besides their usual members. */
export type Included = 'rarity' | 'spam' | 'media_details'

/** Throws BadRequestError where ranks or spam reasons are requested together with as_of_block. */
export function refuseIncludeAsOf(include: Included | null | undefined): void {
  if (include != null)
    throw fault(
      'include',
      'is requested together with as_of_block; allowed: one of the two, as metadata and spam status are those of today',
    )
}

export const rarityHeaderSchema = asOfHeaderSchema.extend({
  'x-rarity-documents': z
    .string()
    .optional()
    .describe('With include=rarity: how many tokens were ranked; 0 until they are.'),
})

/** The header of an answer with places by rarity. */
export function rarityHeaders(state: CollectionState | undefined): string[] {
  return ['x-rarity-documents', String(state?.rarityDocuments ?? 0n)]
}

/** How records are written that have more than their usual members. */
export const includedOptions = (include: Included | null | undefined) => ({
  rarity: include === 'rarity',
  spam: include === 'spam',
  details: include === 'media_details',
})
