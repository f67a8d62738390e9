import { type HeadAge, isOld } from '../sync/headAge.ts'

/** A network with its progress at one moment. */
export type NetworkState = {
  /** Of the database: ids and versions are comparable only within one epoch. */
  epoch: string
  id: number
  /** Incremented by every visible change of coins of `0x1::coin`. */
  version: bigint
  /** The same of fungible assets. */
  assetVersion: bigint
  /** Incremented with supplies and decimals. */
  stateVersion: bigint
  fromVersion: bigint
  /** The last version covered without a gap from `fromVersion`. */
  toVersion: bigint | null
  headVersion: bigint | null
  /** Coins up to this version are visible; their creation is final. */
  shownVersion: bigint
  /** Number of imported records that the chain has not confirmed yet. */
  imports: bigint
  /** Why the network cannot be read now, as readable text; null: it can. */
  failure: string | null
  /** null before a source has responded. */
  head: HeadAge | null
  /** Every version up to the last seen head is covered, and a source confirmed that head recently. */
  synced: boolean
  /** Covered part of `fromVersion`…`headVersion`, 0 to 1. */
  progress: number
}

/** Position of a coin in page order: version descending, then hash ascending. */
export type CoinPosition = { version: bigint; hash: string }

/** v1: coins of `0x1::coin`; v2: fungible assets; all: both. */
export type Standard = 'v1' | 'v2' | 'all'

/** Supply of a coin at the end of a version, in digits; null if it is not counted or unknown. Or why it has none. */
export type SupplyAnswer =
  | { status: 'known'; supply: string | null }
  | { status: 'unknownCoin' }
  | { status: 'madeLater'; version: bigint }

/** Records as JSON. `last` is the position of the last one if more follow, else null. */
export type CoinPage = { records: string[]; last: CoinPosition | null }

export type CoinQuery = {
  network(name: string): Promise<NetworkState | undefined>
  /** Latest first, after `after`; if that is null, skips `offset` records. `standard` null: coins of `0x1::coin` with only their fields. */
  latest(options: {
    state: NetworkState
    after: CoinPosition | null
    offset: number
    limit: number
    standard: Standard | null
  }): Promise<CoinPage>
  /** The records of these hashes in order as a JSON array, without unknown hashes. `standard` null: both standards, with only the fields of coins. */
  byHash(state: NetworkState, hashes: readonly string[], standard: Standard | null): Promise<string>
  /** `version`: a covered, visible one. */
  supply(state: NetworkState, hash: string, version: bigint): Promise<SupplyAnswer>
}

/** Changes with every change of a list of coins. */
export function listVersion({ version, assetVersion }: NetworkState, standard: Standard): bigint {
  return standard === 'v1' ? version : version + assetVersion
}

/** Changes with every change of answers with supplies. */
export function stateVersion({ version, assetVersion, stateVersion }: NetworkState): bigint {
  return version + assetVersion + stateVersion
}

/** Changes with every change of a supply at the last covered version. */
export function lastSupplyVersion(state: NetworkState): bigint {
  return (stateVersion(state) << 64n) + (state.toVersion ?? -1n) + 1n
}

/** Highest progress of a network that is not synced. */
export const mostUnsynced = 0.9999

/** Why a network is not synced although every known version is covered: its head is too old. null: the head is fresh. */
export function inconsistencyOf({ toVersion, headVersion, head }: NetworkState): string | null {
  if (!isOld(head) || toVersion === null || headVersion === null || toVersion < headVersion) return null
  return `no source has confirmed the head of the network for more than ${Math.floor(head.maxAgeMs / 1_000)} s`
}
