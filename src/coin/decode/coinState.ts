import { hash } from 'node:crypto'

/** Changeable facts of a coin after a transaction. */
export type CoinState = {
  /** Hash of a coin, or of an aggregator that counts a supply. 64 hex digits. */
  subject: string
  /** Version of the transaction. */
  version: bigint
  /** Null if the transaction wrote none: for aggregators, and for deleted assets. */
  decimals: number | null
  /** Null if the subject does not count its own supply. */
  supply: bigint | null
  /** Maximum supply; null: only the limit of its type. */
  maximum: bigint | null
  /** The object of the asset was deleted. */
  deleted: boolean
}

/**
 * Handle of the table with all aggregators of such a chain: `phantom_table` of `0x1::aggregator_factory::AggregatorFactory`. Equal on every network,
 * as genesis creates it.
 */
export const aggregatorTable = '0x1b854694ae746cdbd8d44186ca4929b2b337df21d1c74633be19b2710552fdca'

/** The subject of an aggregator's state. `handle` and `key`: 64 hex digits. */
export function aggregatorHash(handle: string, key: string): string {
  return hash('sha256', `${handle} ${key}`, 'hex')
}
