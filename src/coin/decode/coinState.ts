import { hash } from 'node:crypto'

/** What a transaction left behind of what changes in a coin. */
export type CoinState = {
  /** Whose state: the hash of a coin, or of an aggregator that counts a supply. 64 hex digits. */
  subject: string
  /** Version of the transaction. */
  version: bigint
  /** Null where the transaction wrote none: of aggregators, and of assets that only ended. */
  decimals: number | null
  /** Null where the subject counts none itself. */
  supply: bigint | null
  /** The most that the supply may become; null: no bound but that of its type. */
  maximum: bigint | null
  /** The object of the asset was deleted. */
  deleted: boolean
}

/**
 * Handle of the table in which all aggregators of a chain of this kind are: `phantom_table` of `0x1::aggregator_factory::AggregatorFactory`. The
 * same on every network, as genesis makes it.
 */
export const aggregatorTable = '0x1b854694ae746cdbd8d44186ca4929b2b337df21d1c74633be19b2710552fdca'

/** The subject of an aggregator's state. `handle` and `key`: 64 hex digits. */
export function aggregatorHash(handle: string, key: string): string {
  return hash('sha256', `${handle} ${key}`, 'hex')
}
