import type { Address, Hex } from '../util/hex.ts'
import type { Records } from './query.ts'
import type { TransferPlace } from './transferQuery.ts'
import { positionOf } from './transfers/position.ts'

/** What a record of a page of transfers says: for an API that shows it in another form. */
export type TransferRecord = {
  token_address: Address
  /** Decimal, unless hex was requested. */
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
  /** Where it was requested: the place within the log. */
  item?: number
}

/** Records of transfers as objects. */
export function readTransfers(records: Records): TransferRecord[] {
  return JSON.parse(records.toBuffer('[', ']').toString()) as TransferRecord[]
}

/** The place of a transfer among those of its chain; its record shows the place within the log. */
export function placeOf({ block_number, log_index, item = 0 }: TransferRecord): TransferPlace {
  return [String(positionOf(Number(block_number), log_index)), item]
}
