import { type Answer, judge } from './judge.ts'
import type { Compared, ComparedCounts, Mismatch, MismatchKind, NodeDifference } from './verification.ts'

/** What a verification found. */
export type Findings = {
  compared: ComparedCounts
  mismatchCounts: Partial<Record<MismatchKind, number>>
  mismatches: Mismatch[]
  nodeDifferenceCount: number
  nodeDifferences: NodeDifference[]
  truncated: boolean
  /** Compares one value and keeps what differs. True where it is a mismatch. */
  compare(
    what: { kind: MismatchKind; tokenId: string | null; holder?: string | null },
    stored: string | bigint | null,
    answers: readonly Answer<string | bigint | null>[],
  ): boolean
}

/** Kept of each list, 30 MB at most; more are counted. */
const mostKept = 100_000
/** Token URIs may be documents of a megabyte. */
const longestText = 300

export function createFindings(): Findings {
  const findings: Findings = {
    compared: { tokens: 0, balances: 0, uris: 0 },
    mismatchCounts: {},
    mismatches: [],
    nodeDifferenceCount: 0,
    nodeDifferences: [],
    truncated: false,
    compare({ kind, tokenId, holder = null }, stored, answers) {
      const verdict = judge(stored, answers)
      if (!verdict) return false
      const what: Compared = { kind, tokenId, holder, stored: text(stored) }
      if (verdict.mismatch) {
        findings.mismatchCounts[kind] = (findings.mismatchCounts[kind] ?? 0) + 1
        keep(findings.mismatches, { ...what, chain: text(verdict.mismatch.chain) })
      }
      for (const { node, value } of verdict.differing) {
        findings.nodeDifferenceCount += 1
        keep(findings.nodeDifferences, { ...what, node, says: text(value) })
      }
      return verdict.mismatch !== undefined
    },
  }
  function keep<T>(list: T[], item: T): void {
    if (list.length < mostKept) list.push(item)
    else findings.truncated = true
  }
  return findings
}

function text(value: string | bigint | null): string | null {
  if (value === null) return null
  const whole = String(value)
  return whole.length > longestText ? `${whole.slice(0, longestText)}…` : whole
}
