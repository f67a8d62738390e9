import { type HeadAge, isOld } from '../sync/headAge.ts'

/** A network and its progress at one moment. */
export type NetworkState = {
  /** Of the database: ids and versions are to be compared only if it is the same. */
  epoch: string
  id: number
  /** Raised by every change of coins of `0x1::coin` that a page could show. */
  version: bigint
  /** Raised by each change of these that does more than put new ones in front. */
  arrangement: bigint
  /** The same two of fungible assets. */
  assetVersion: bigint
  assetArrangement: bigint
  /** Raised with supplies and decimals. */
  stateVersion: bigint
  fromVersion: bigint
  /** Covered without a gap from `fromVersion`. */
  toVersion: bigint | null
  headVersion: bigint | null
  /** Coins up to here are shown; their creation is final. */
  shownVersion: bigint
  /** Imported records that the chain has not confirmed yet. */
  imports: bigint
  /** Why the network cannot be read at the moment, as readable text; null: it can. */
  failure: string | null
  /** null while no source has answered. */
  head: HeadAge | null
  /** Every version up to the head last seen is covered, and a source confirmed that head lately. */
  synced: boolean
  /** Covered part of `fromVersion`…`headVersion`, 0 to 1. */
  progress: number
}

/** Where a coin is in the order of pages: version descending, then hash ascending. */
export type CoinPosition = { version: bigint; hash: string }

/** v1: coins of `0x1::coin`; v2: fungible assets; all: both. */
export type Standard = 'v1' | 'v2' | 'all'

/** The supply of a coin at the end of a version, in digits; null if it is not counted or not known. Or why it has none. */
export type SupplyAnswer =
  | { status: 'known'; supply: string | null }
  | { status: 'unknownCoin' }
  | { status: 'madeLater'; version: bigint }

/** Records as JSON texts. `last` is the position of the last one where more follow, else null. */
export type CoinPage = { records: string[]; last: CoinPosition | null }

export type CoinQuery = {
  network(name: string): Promise<NetworkState | undefined>
  /**
   * Newest first, after `after`; where that is null `offset` records are omitted first. `standard` null: coins of `0x1::coin`, with the fields
   * of these alone.
   */
  latest(options: {
    state: NetworkState
    after: CoinPosition | null
    offset: number
    limit: number
    standard: Standard | null
  }): Promise<CoinPage>
  /**
   * The records of these hashes in their order as a JSON array; unknown hashes are omitted. `standard` null: of both, with the fields of coins
   * alone.
   */
  byHash(state: NetworkState, hashes: readonly string[], standard: Standard | null): Promise<string>
  /** `version`: one that is covered, and shown. */
  supply(state: NetworkState, hash: string, version: bigint): Promise<SupplyAnswer>
}

/** What changes with every change of a list of coins. */
export function listVersion({ version, assetVersion }: NetworkState, standard: Standard): bigint {
  return standard === 'v1' ? version : version + assetVersion
}

/** What changes with every change of answers that show supplies. */
export function stateVersion({ version, assetVersion, stateVersion }: NetworkState): bigint {
  return version + assetVersion + stateVersion
}

/** The most that the progress of a network can be while it is not synced. */
export const mostUnsynced = 0.9999

/** Why a network is not called synced although every known version is covered: its head is too old. null: the head is fresh. */
export function inconsistencyOf({ toVersion, headVersion, head }: NetworkState): string | null {
  if (!isOld(head) || toVersion === null || headVersion === null || toVersion < headVersion) return null
  return `no source has confirmed the head of the network for more than ${Math.floor(head.maxAgeMs / 1_000)} s`
}
