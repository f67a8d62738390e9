import type { RecordOptions } from '../../nft/query.ts'
import { choice, cursorText, flag, wholeNumber } from '../http/parameters.ts'
import { type ApiChain, chainParameter } from './chains.ts'

/** How the records of a page are requested. */
export type RecordFilters = {
  format: 'decimal' | 'hex'
  limit: number
  disable_total: boolean
  normalizeMetadata: boolean
  media_items: boolean
}

export const recordDefaults: RecordFilters = {
  format: 'decimal',
  limit: 100,
  disable_total: true,
  normalizeMetadata: false,
  media_items: false,
}

/** The query parameters of every list of records. Each is optional without a default: what is omitted holds as the cursor has it. */
export function recordParameters(options: { chains: readonly ApiChain[]; total: string }) {
  return {
    chain: chainParameter(options).optional(),
    format: choice({
      description: 'How token_id is written.',
      values: ['decimal', 'hex'],
      default: recordDefaults.format,
    }).optional(),
    limit: wholeNumber({
      description: 'Most records on a page.',
      min: 1,
      max: 100,
      default: recordDefaults.limit,
    }).optional(),
    disable_total: flag({
      description: `false: ${options.total}`,
      default: recordDefaults.disable_total,
    }).optional(),
    cursor: cursorText().optional(),
    normalizeMetadata: flag({
      description: 'true: fills normalized_metadata.',
      default: recordDefaults.normalizeMetadata,
    }).optional(),
    media_items: flag({ description: 'true: fills media.', default: recordDefaults.media_items }).optional(),
  }
}

export function recordOptions({ format, normalizeMetadata, media_items }: RecordFilters): RecordOptions {
  return { hex: format === 'hex', normalized: normalizeMetadata, media: media_items }
}
