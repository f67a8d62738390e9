import type { Address } from '../../util/hex.ts'
import type { CollectionState, NftQuery } from '../query.ts'

/** Records of one page, as many as a client's: rendering them and handing them to the thread that writes holds up requests for some 2 ms. */
const pageSize = 100

/**
 * The records of all listed tokens with their normalised metadata, as JSON lists, in the order of token hash descending. Each page is
 * read by itself, so the database keeps nothing meanwhile, pages may be of different blocks, and a token that moves in between is given
 * once, as it was when its page was read.
 */
export async function* tokenBatches(
  query: NftQuery,
  { state, address, signal }: { state: CollectionState; address: Address; signal: AbortSignal },
): AsyncGenerator<string> {
  const form = { hex: false, normalized: true, media: false }
  const range = { from: null, to: null }
  const ofAnyBlock = { ...state, standing: null }
  for (let after: string | null = null; ; ) {
    signal.throwIfAborted()
    const page = await query.page({ state: ofAnyBlock, address, range, after, limit: pageSize, ...form })
    const records = page.records.toBuffer('[', ']').toString()
    if (page.count > 0) yield records
    after = page.last
    if (after === null) return
  }
}
