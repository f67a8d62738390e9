import { z } from 'zod'
import type { CollectionState } from '../../nft/query.ts'
import { fault } from '../http/parseQuery.ts'
import { asOfHeaderSchema } from './schemas.ts'

/** Throws BadRequestError if ranks or spam reasons are requested together with as_of_block. */
export function rejectIncludeAsOf(include: string | null | undefined): void {
  if (include != null)
    throw fault(
      'include',
      'is requested together with as_of_block; allowed: one of the two, as metadata and spam status are current',
    )
}

export const rarityHeaderSchema = asOfHeaderSchema.extend({
  'x-rarity-documents': z
    .string()
    .optional()
    .describe('With include=rarity: how many tokens were ranked; 0 until they are.'),
})

/** Headers of an answer with rarity ranks. */
export function rarityHeaders(state: CollectionState | undefined): string[] {
  return ['x-rarity-documents', String(state?.rarityDocuments ?? 0n)]
}
