/** The most that a version, or a count of versions, can be: what a bigint of the database holds. */
export const maxVersion = 2n ** 63n - 1n

/** 9999-12-31T23:59:59.999999Z, the last moment whose year has four digits, in microseconds since 1970. */
export const maxTimestampMicros = 253_402_300_799_999_999n

/** A write of a resource that was requested. */
export type AptosWrite = {
  /** Of the account or object that has the resource, as the chain prints it: without leading zeros. */
  address: string
  /** As the chain prints it: `0x1::coin::CoinInfo<0x1::aptos_coin::AptosCoin>`. */
  type: string
  /** The resource's fields; undefined if they were no JSON. */
  data: unknown
}

/** A write of an item of the table that was requested. */
export type AptosTableItem = {
  handle: string
  key: string
  /** The item where it is a u128; undefined for any other. */
  value: bigint | undefined
}

/** A transaction in the one form that gRPC and REST sources give. */
export type AptosTransaction = {
  version: bigint
  kind: 'genesis' | 'user' | 'other'
  success: boolean
  /** Microseconds since 1970; 0 for genesis, which has no time. */
  timestampMicros: bigint
  /** In the order of the transaction's changes, those of `beside` last. */
  writes: AptosWrite[]
  /** Addresses at which the resource `WantedChanges.deleted` was deleted. */
  deleted: string[]
  items: AptosTableItem[]
}

/**
 * The versions `from`…`to`, both included, none missing; of their transactions those without a change that was requested are omitted. An empty batch,
 * whose `to` is `from` - 1, says that a source was queried just now and answered `head`.
 */
export type AptosBatch = {
  chainId: number
  from: bigint
  to: bigint
  /** The newest version known when the batch was read; at least `to`, except in an empty batch of a source that lags. */
  head: bigint
  transactions: AptosTransaction[]
}

export type AptosLedger = {
  chainId: number
  /** The newest version, or an older one from which a stream catches up within seconds. */
  head: bigint
  /** The oldest version that is still kept; undefined if the source does not show. */
  oldest: bigint | undefined
}

/** Versions of an Aptos-style chain. */
export type AptosSource = {
  ledger(signal: AbortSignal): Promise<AptosLedger>
  /** `ledger` has to probe for the head, which takes seconds. */
  probesHead: boolean
  /** Whether a version can be read at once; false for one that the source gives only after a wait. Throws an AptosError. */
  has(version: bigint, signal: AbortSignal): Promise<boolean>
  /**
   * Versions from `from` on, in order, each once, up to `to` or forever. Without a `to` an empty batch comes whenever the
   * source was queried and had no more. The next batch is read when the caller requests it, so little is in memory at once. Throws an
   * AptosError; the batches before it are good.
   */
  read(range: { from: bigint; to?: bigint }, signal: AbortSignal): AsyncIterable<AptosBatch>
  /** Versions that one read of history should span. */
  rangeWidth: bigint
  close(): Promise<void>
}

/** The changes that a source gives. Everything else is skipped before it is parsed. */
export type WantedChanges = {
  /** Resources, by the beginnings of their types. */
  resources: readonly string[]
  /** Type of a resource that is given only if the same transaction writes one of `resources` at the same address. */
  beside?: string
  /** Type of a resource whose deletion is given. */
  deleted?: string
  /** Handle of the table whose items are given. */
  table?: string
}
