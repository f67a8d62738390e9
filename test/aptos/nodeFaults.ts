import type { Random } from '../random.ts'

/** Errors of fake nodes, each with its share of the responses. */
export type NodeFault =
  /** The connection breaks before or within a response. */
  | 'cut'
  /** Half of a response arrives, then the connection breaks. */
  | 'half'
  /** Nothing arrives. */
  | 'silence'
  /** The previous data arrives again. */
  | 'duplicate'
  /** A version in the middle is missing. */
  | 'gap'
  | 'rateLimit'
  /** 5xx, or UNAVAILABLE. */
  | 'unavailable'
  /** The response ends early, with a status of success. */
  | 'early'
  /** The response comes from a node that is behind the others. */
  | 'lag'
  | 'nonsense'

export type NodeFaults = {
  shares: Partial<Record<NodeFault, number>>
  random: Random
  /** How often each error struck. */
  counts: Map<NodeFault, number>
}

/** Whether an error strikes this response. */
export function strikes(faults: NodeFaults | undefined, fault: NodeFault): boolean {
  if (!faults?.random.chance(faults.shares[fault] ?? 0)) return false
  faults.counts.set(fault, (faults.counts.get(fault) ?? 0) + 1)
  return true
}
