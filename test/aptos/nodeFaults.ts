import type { Random } from '../random.ts'

/** What fake nodes do wrong, each by its share of the answers. */
export type NodeFault =
  /** The connection breaks before or within an answer. */
  | 'cut'
  /** Half of an answer comes, then the connection breaks. */
  | 'half'
  /** Nothing comes. */
  | 'silence'
  /** What came before comes again. */
  | 'duplicate'
  /** Something in between is omitted. */
  | 'gap'
  | 'rateLimit'
  /** 5xx, or UNAVAILABLE. */
  | 'unavailable'
  /** The answer ends early and says that all is well. */
  | 'early'
  /** A node that is behind the others answers. */
  | 'lag'
  | 'nonsense'

export type NodeFaults = {
  shares: Partial<Record<NodeFault, number>>
  random: Random
  /** How often each struck. */
  counts: Map<NodeFault, number>
}

/** Whether an error strikes this answer. */
export function strikes(faults: NodeFaults | undefined, fault: NodeFault): boolean {
  if (!faults?.random.chance(faults.shares[fault] ?? 0)) return false
  faults.counts.set(fault, (faults.counts.get(fault) ?? 0) + 1)
  return true
}
