import { type HeadAge, isOld } from '../sync/headAge.ts'

/** A network and how far it is read, as they stand together at one moment. */
export type NetworkState = {
  /** Of the database: ids and versions are to be compared only where it is the same. */
  epoch: string
  id: number
  /** Raised by every change that a page could show. */
  version: bigint
  /** Raised by each change that does more than put new coins in front. */
  arrangement: bigint
  fromVersion: bigint
  /** Covered without a gap from `fromVersion`. */
  toVersion: bigint | null
  headVersion: bigint | null
  /** Coins up to here are shown; their creation is final. */
  shownVersion: bigint
  /** Imported records that the chain has not confirmed yet. */
  imports: bigint
  /** Why the network cannot be read at the moment, for people; null: it can. */
  failure: string | null
  /** null while no source has answered. */
  head: HeadAge | null
  /** Every version up to the head last seen is covered, and a source confirmed that head lately. */
  synced: boolean
  /** Covered part of `fromVersion`…`headVersion`, 0 to 1. */
  progress: number
}

/** Where a coin stands in the order of pages: version descending, then hash ascending. */
export type CoinPosition = { version: bigint; hash: string }

/** Records as JSON texts. `last` is the position of the last one where more follow, else null. */
export type CoinPage = { records: string[]; last: CoinPosition | null }

export type CoinQuery = {
  network(name: string): Promise<NetworkState | undefined>
  /** Newest first, after `after`; where that is null `offset` records are left out first. */
  latest(options: { state: NetworkState; after: CoinPosition | null; offset: number; limit: number }): Promise<CoinPage>
  /** The records of these hashes in their order as a JSON array; unknown hashes are left out. */
  byHash(state: NetworkState, hashes: readonly string[]): Promise<string>
}

/** The most that the progress of a network can be while it is not synced. */
export const mostUnsynced = 0.9999

/** Why a network is not called synced although every known version is covered: its head is too old. null: there is no such doubt. */
export function doubtOf({ toVersion, headVersion, head }: NetworkState): string | null {
  if (!isOld(head) || toVersion === null || headVersion === null || toVersion < headVersion) return null
  return `no source has confirmed the head of the network for more than ${Math.floor(head.maxAgeMs / 1_000)} s`
}
