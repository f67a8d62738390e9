import type { Address, Hex } from '../util/hex.ts'
import type { Records } from './query.ts'
import type { TransferPlace } from './transferQuery.ts'
import { positionOf } from './transfers/position.ts'

/** A transfer record as an object, for APIs with another format. */
export type TransferRecord = {
  token_address: Address
  /** Decimal, or hex if requested. */
  token_id: string
  from_address: Address
  to_address: Address
  amount: string
  contract_type: 'ERC721' | 'ERC1155'
  block_number: string
  block_hash: Hex
  block_timestamp: string
  transaction_hash: Hex
  log_index: number
  /** Index within the log, if requested. */
  item?: number
}

/** Records of transfers as objects. */
export function readTransfers(records: Records): TransferRecord[] {
  return JSON.parse(records.toBuffer('[', ']').toString()) as TransferRecord[]
}

/** Place of a transfer in its chain; its record has the index within the log. */
export function placeOf({ block_number, log_index, item = 0 }: TransferRecord): TransferPlace {
  return [String(positionOf(Number(block_number), log_index)), item]
}
