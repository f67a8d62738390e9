import type { Hex } from '../../util/hex.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'

/**
 * How what is stored and the chain differ.
 * `owner`: ERC-721, another owner. `missing`: the chain has the token, we do not list it. `surplus`: we list it, the chain
 * does not have it. `balance`: ERC-1155, of one holder. `amount`: ERC-1155, what is stored of an id is not what its holders
 * have. `supply`: not what totalSupply says. `uri`: the contract gives another token URI than when it was last read.
 */
export type MismatchKind = 'owner' | 'missing' | 'surplus' | 'balance' | 'amount' | 'supply' | 'uri'

/** One thing that is stored, as text; null: nothing. */
export type Compared = { kind: MismatchKind; tokenId: string | null; holder: string | null; stored: string | null }

/** No node that was asked says what is stored; `chain` is what the first one says. */
export type Mismatch = Compared & { chain: string | null }

/** A node that says something else than the other one, which says what is stored; or than the first one, if none does. */
export type NodeDifference = Compared & { node: string; says: string | null }

/** A node that was asked; `failure`: why it was left out from some point on. */
export type AskedNode = { node: string; failure: string | null }

/** How many of each were compared. */
export type ComparedCounts = { tokens: number; balances: number; uris: number }

export type Verification = {
  standard: Standard
  block: bigint
  blockHash: Hex
  /** `rebuilt`: from the kept transfers, up to the block. */
  source: 'stored' | 'rebuilt'
  sample: { size: number; seed: string } | null
  nodes: AskedNode[]
  compared: ComparedCounts
  /** By kind, all of them. */
  mismatchCounts: Partial<Record<MismatchKind, number>>
  mismatches: Mismatch[]
  nodeDifferenceCount: number
  nodeDifferences: NodeDifference[]
  /** More were found than are listed. */
  truncated: boolean
}
