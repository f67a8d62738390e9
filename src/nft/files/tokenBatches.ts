import type { Address } from '../../util/hex.ts'
import type { CollectionState, NftQuery } from '../query.ts'

/** Records per page: rendering them and passing them to the writing thread delays requests by about 2 ms. */
const pageSize = 100

/**
 * The records of all listed tokens with normalized metadata, as JSON lists, by token hash descending. Each page is read
 * separately, so the database holds nothing meanwhile, and pages may be of different blocks. A token that moves in
 * between appears once, as of its page.
 */
export async function* tokenBatches(
  query: NftQuery,
  { state, address, signal }: { state: CollectionState; address: Address; signal: AbortSignal },
): AsyncGenerator<string> {
  const form = { hex: false, normalized: true, media: false }
  const range = { from: null, to: null }
  const ofAnyBlock = { ...state, syncPosition: null }
  for (let after: string | null = null; ; ) {
    signal.throwIfAborted()
    const page = await query.page({ state: ofAnyBlock, address, range, after, limit: pageSize, ...form })
    const records = page.records.toBuffer('[', ']').toString()
    if (page.count > 0) yield records
    after = page.last
    if (after === null) return
  }
}
