import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import type { BlockRange } from '../../sync/blockRange.ts'
import type { Address } from '../../util/hex.ts'
import { metadataTopics } from '../metadata/store/changedIds.ts'

/** Events of a contract in a range of final blocks that announce changed metadata. */
export async function readAnnouncements(
  source: Pick<EvmSource, 'logs'>,
  { address, ...range }: BlockRange & { address: Address },
  signal: AbortSignal,
): Promise<RpcLog[]> {
  let announced: RpcLog[] = []
  for (let { from } = range; from <= range.to; ) {
    const { logs, to } = await source.logs({ address, topics: [metadataTopics], from, to: range.to }, signal)
    announced = announced.concat(logs)
    from = to + 1n
  }
  return announced
}
