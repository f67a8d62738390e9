import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import { tokenTopic } from '../../chain/evm/source/tokenEvents.ts'
import type { Address } from '../../util/hex.ts'
import { indexedForm, type Standard, surveyLogs } from '../transfers/decodeTransfers.ts'
import { partiesOf } from '../transfers/indexedLogs.ts'
import { zeroAddress } from '../transfers/transfer.ts'

/** Transfers of a contract in a block. `standard`: by its first log. */
export type ContractCount = { standard: Standard; transfers: number; mints: number }

/** Transfers of a block by contract. `undoable`: the block is not final yet. */
export type BlockCount = {
  number: bigint
  /** The time of the block in seconds since 1970. */
  time: number
  undoable: boolean
  contracts: Map<Address, ContractCount>
}

/** Counts NFT transfers by contract. Coins are excluded as for wallets; logs with too many tokens are skipped. */
export function countByContract(logs: Iterable<RpcLog>): Map<Address, ContractCount> {
  const counts = new Map<Address, ContractCount>()
  for (const log of logs) {
    const [from] = partiesOf(log)
    if (from === undefined) continue
    const { transfers } = surveyLogs([log], indexedForm)
    if (transfers === 0) continue
    let count = counts.get(log.address)
    if (!count) {
      count = { standard: is1155(log) ? 'ERC1155' : 'ERC721', transfers: 0, mints: 0 }
      counts.set(log.address, count)
    }
    count.transfers += transfers
    if (from === zeroAddress) count.mints += transfers
  }
  return counts
}

const is1155 = ({ topics }: RpcLog) => topics[0] === tokenTopic.transferSingle || topics[0] === tokenTopic.transferBatch
