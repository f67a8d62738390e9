import type { Hex } from '../../util/hex.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'
import type { CounterFault } from './checkCounters.ts'

/**
 * Kind of difference from the chain. `owner`: an ERC-721 token has another owner. `missing`: a token of the chain is not listed. `surplus`: a listed
 * token does not exist on the chain. `balance`: a holder has another balance of an ERC-1155 id. `amount`: the stored amount of an ERC-1155 id is not
 * the sum of its holders' balances. `supply`: totalSupply differs. `uri`: the contract returns another token URI than the last read one.
 */
export type MismatchKind = 'owner' | 'missing' | 'surplus' | 'balance' | 'amount' | 'supply' | 'uri'

/** A compared item with its stored value as text; null: nothing is stored. */
export type Compared = { kind: MismatchKind; tokenId: string | null; holder: string | null; stored: string | null }

/** A value that no node confirms; `chain` is the first node's answer. */
export type Mismatch = Compared & { chain: string | null }

/** A node that disagrees: with the one that confirms the stored value, or, if none does, with the first one. */
export type NodeDifference = Compared & { node: string; says: string | null }

/** A queried node; `failure`: why it was dropped later, else null. */
export type RequestedNode = { node: string; failure: string | null }

/** Numbers of compared tokens, balances and URIs. */
export type ComparedCounts = { tokens: number; balances: number; uris: number }

/** Numbers of missing, excess or different rows in the wallet tables of a collection, by its tokens, balances and transfers. */
export type WalletFaults = { tokens: bigint; collections: bigint; transfers: bigint }

export type Verification = {
  standard: Standard
  block: bigint
  blockHash: Hex
  /** `rebuilt`: owners and balances were rebuilt from the kept transfers up to the block. */
  source: 'stored' | 'rebuilt'
  sample: { size: number; seed: string } | null
  nodes: RequestedNode[]
  compared: ComparedCounts
  /** Number of mismatches by kind, including unlisted ones. */
  mismatchCounts: Partial<Record<MismatchKind, number>>
  mismatches: Mismatch[]
  nodeDifferenceCount: number
  nodeDifferences: NodeDifference[]
  /** Counters that differ from a recount; a sample recounts nothing. */
  counters: CounterFault[]
  /** null: not compared, for a sample or queued transfers. */
  walletFaults: WalletFaults | null
  /** True if there are more mismatches than listed ones. */
  truncated: boolean
}
