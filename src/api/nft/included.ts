import { z } from 'zod'
import { choice } from '../http/parameters.ts'

/** Optional parts of records, with their descriptions. */
const additions = {
  rarity: 'adds rarity_rank and rarity_percentage to records. The first request starts the ranking.',
  spam: 'adds spam_score and spam_reasons.',
  media_details: 'adds size, duration and animation to media.',
  media_file: 'adds file to media: a copy of the video, audio file or animation, which this server then fetches.',
  contract_uri: 'adds contract_uri.',
  acquired: 'adds acquired_at and acquired_block to records, only with x-index-scope chain.',
}

export type Included = keyof typeof additions

/** The parameter `include`: a list of these values. */
export function includeParameter<const Value extends Included>(values: readonly Value[]) {
  return z
    .array(choice({ description: 'Additional fields of records.', values }))
    .describe(`A list. ${values.map((value) => `${value}: ${additions[value]}`).join(' ')}`)
}

/** The list in filters and cursors: sorted, without duplicates. undefined: nothing is included. */
export function packIncluded(values: readonly Included[] | undefined): string | undefined {
  return values && values.length > 0 ? [...new Set(values)].toSorted().join() : undefined
}

/** Whether a packed list contains a value. */
export const isIncluded = (packed: string | null | undefined, value: Included): boolean =>
  packed?.split(',').includes(value) ?? false

/** Record options for the included parts. */
export const includedOptions = (packed: string | null | undefined) => ({
  rarity: isIncluded(packed, 'rarity'),
  spam: isIncluded(packed, 'spam'),
  details: isIncluded(packed, 'media_file') ? ('file' as const) : isIncluded(packed, 'media_details'),
})
