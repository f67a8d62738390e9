import type { Hex } from '../../util/hex.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'
import type { CounterFault } from './checkCounters.ts'

/**
 * How what is stored differs from the chain.
 * `owner`: an ERC-721 token has another owner. `missing`: the chain has a token that is not listed. `surplus`: a token is listed that
 * the chain does not have. `balance`: a holder has another balance of an ERC-1155 id. `amount`: the stored amount of an ERC-1155 id is
 * not the sum of its holders' balances. `supply`: totalSupply is another number. `uri`: the contract gives another token URI than the
 * one that was read last.
 */
export type MismatchKind = 'owner' | 'missing' | 'surplus' | 'balance' | 'amount' | 'supply' | 'uri'

/** What was compared, and the stored value as text; null: nothing is stored. */
export type Compared = { kind: MismatchKind; tokenId: string | null; holder: string | null; stored: string | null }

/** A value that no node confirms; `chain` is what the first node says. */
export type Mismatch = Compared & { chain: string | null }

/** A node that disagrees with another one: the one that confirms the stored value or, where none does, the first one. */
export type NodeDifference = Compared & { node: string; says: string | null }

/** A node that was queried; `failure`: why it was omitted later, null if it was not. */
export type AskedNode = { node: string; failure: string | null }

/** How many tokens, balances and URIs were compared. */
export type ComparedCounts = { tokens: number; balances: number; uris: number }

/** How many rows of a collection the tables of wallets lack, have too many or have otherwise than its tokens, balances and transfers say. */
export type WalletFaults = { tokens: bigint; collections: bigint; transfers: bigint }

export type Verification = {
  standard: Standard
  block: bigint
  blockHash: Hex
  /** `rebuilt`: owners and balances were rebuilt from the kept transfers up to the block. */
  source: 'stored' | 'rebuilt'
  sample: { size: number; seed: string } | null
  nodes: AskedNode[]
  compared: ComparedCounts
  /** How many mismatches of each kind there are, also those that are not listed. */
  mismatchCounts: Partial<Record<MismatchKind, number>>
  mismatches: Mismatch[]
  nodeDifferenceCount: number
  nodeDifferences: NodeDifference[]
  /** Counters that differ from a recount; a sample recounts nothing. */
  counters: CounterFault[]
  /** null: not compared, as it is a sample, or transfers wait in the queue. */
  walletFaults: WalletFaults | null
  /** True where more was found than is listed. */
  truncated: boolean
}
