import type { RecordOptions } from '../../nft/query.ts'
import { choice, cursorText, flag, pageLimit } from '../http/parameters.ts'
import { type ApiChain, chainParameter } from './chains.ts'

/** Record options of a page. */
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

/** Query parameters of every list of records. None has a default, as a cursor has the omitted values. */
export function recordParameters(options: { chains: readonly ApiChain[]; total: string }) {
  return {
    chain: chainParameter(options).optional(),
    format: formatOfIds(),
    limit: pageLimit(),
    disable_total: flag({ description: `false: ${options.total}`, default: true }).optional(),
    cursor: cursorText().optional(),
    ...filledParameters(),
  }
}

/** Format of token ids. */
export function formatOfIds(description = 'Format of token_id.') {
  return choice({ description, values: ['decimal', 'hex'], default: 'decimal' }).optional()
}

/** Optional parts of records. */
export function filledParameters() {
  return {
    normalizeMetadata: flag({ description: 'true: fills normalized_metadata.', default: false }).optional(),
    media_items: flag({ description: 'true: fills media.', default: false }).optional(),
  }
}

export function recordOptions({ format, normalizeMetadata, media_items }: RecordFilters): RecordOptions {
  return { hex: format === 'hex', normalized: normalizeMetadata, media: media_items }
}
