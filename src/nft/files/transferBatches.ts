import type { Address } from '../../util/hex.ts'
import type { CollectionState } from '../query.ts'
import type { TransferPlace, TransferQuery } from '../transferQuery.ts'

const pageSize = 500

/**
 * The records of all transfers up to the covered block, as JSON lists, earliest first. Each page is read separately.
 */
export async function* transferBatches(
  transfers: TransferQuery,
  {
    state,
    address,
    chainId,
    signal,
  }: { state: CollectionState; address: Address; chainId: bigint; signal: AbortSignal },
): AsyncGenerator<string> {
  const { toBlock } = state
  if (toBlock === null || state.standard === null) return
  const source = { of: 'contract', chainId, address, state: { ...state, syncPosition: null } } as const
  const common = { source, range: { from: null, to: toBlock }, order: 'ASC', limit: pageSize, hex: false } as const
  for (let after: TransferPlace | null = null; ; ) {
    signal.throwIfAborted()
    const page = await transfers.page({ ...common, after })
    const records = page.records.toBuffer('[', ']').toString()
    if (page.count > 0) yield records
    after = page.last
    if (after === null) return
  }
}
