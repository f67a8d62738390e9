/** The highest version or number of versions: the largest bigint of the database. */
export const maxVersion = 2n ** 63n - 1n

/** 9999-12-31T23:59:59.999999Z, the last moment with a four-digit year, in microseconds since 1970. */
export const maxTimestampMicros = 253_402_300_799_999_999n

/** A write of a requested resource. */
export type AptosWrite = {
  /** Address of the account or object that has the resource, as the chain prints it: without leading zeros. */
  address: string
  /** As the chain prints it: `0x1::coin::CoinInfo<0x1::aptos_coin::AptosCoin>`. */
  type: string
  /** The resource's fields; undefined if they are not JSON. */
  data: unknown
}

/** A write of an item of the requested table. */
export type AptosTableItem = {
  handle: string
  key: string
  /** The item's value if it is a u128; otherwise undefined. */
  value: bigint | undefined
}

/** A transaction in the common form of gRPC and REST sources. */
export type AptosTransaction = {
  version: bigint
  kind: 'genesis' | 'user' | 'other'
  success: boolean
  /** Microseconds since 1970; 0 for genesis, which has no time. */
  timestampMicros: bigint
  /** In the order of the transaction's changes; those of `beside` last. */
  writes: AptosWrite[]
  /** Addresses at which the resource `WantedChanges.deleted` was deleted. */
  deleted: string[]
  items: AptosTableItem[]
}

/**
 * All versions `from`…`to`, both included. Transactions without a requested change are omitted. An empty batch, whose `to` is `from` - 1, says that a
 * source was queried just now and reported `head`.
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
  /** The newest version, or an older one from which a stream reaches it within seconds. */
  head: bigint
  /** The oldest version that is kept; undefined if the source does not report it. */
  oldest: bigint | undefined
}

/** Reads versions of an Aptos-style chain. */
export type AptosSource = {
  ledger(signal: AbortSignal): Promise<AptosLedger>
  /** `ledger` must probe for the head, which takes seconds. */
  probesHead: boolean
  /** Whether a version can be read at once; false for one that the source returns only after a wait. Throws an AptosError. */
  has(version: bigint, signal: AbortSignal): Promise<boolean>
  /**
   * Versions from `from` on, in order, each once, up to `to` or without end. Without `to` an empty batch comes whenever the source was queried and
   * had no more. The next batch is read when the caller requests it, so little is held in memory. Throws an AptosError; the batches before it are
   * valid.
   */
  read(range: { from: bigint; to?: bigint }, signal: AbortSignal): AsyncIterable<AptosBatch>
  /** Suggested number of versions for one read of history. */
  rangeWidth: bigint
  close(): Promise<void>
}

/** The changes that a source returns. All others are skipped before they are parsed. */
export type WantedChanges = {
  /** Type prefixes of the resources. */
  resources: readonly string[]
  /** Type of a resource that is returned only if the same transaction writes one of `resources` at the same address. */
  beside?: string
  /** Type of a resource whose deletions are returned. */
  deleted?: string
  /** Handle of the table whose items are returned. */
  table?: string
}
