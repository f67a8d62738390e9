import type { Answer } from './createPanel.ts'
import type { Compared, ComparedCounts, Mismatch, MismatchKind, NodeDifference } from './verification.ts'

/** Results of a verification. */
export type Findings = {
  compared: ComparedCounts
  mismatchCounts: Partial<Record<MismatchKind, number>>
  mismatches: Mismatch[]
  nodeDifferenceCount: number
  nodeDifferences: NodeDifference[]
  truncated: boolean
  /** Compares a stored value with the nodes' answers and records the differences. True: no node confirms the stored value. */
  compare(
    what: { kind: MismatchKind; tokenId: string | null; holder?: string | null },
    stored: string | bigint | null,
    answers: readonly Answer<string | bigint | null>[],
  ): boolean
}

/** Most entries per list, 30 MB; further ones are only counted. */
const mostKept = 100_000
/** Longest recorded value: a token URI may contain a megabyte of metadata. */
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
      const difference = differenceOf(stored, answers)
      if (!difference) return false
      const what: Compared = { kind, tokenId, holder, stored: text(stored) }
      if (difference.mismatch) {
        findings.mismatchCounts[kind] = (findings.mismatchCounts[kind] ?? 0) + 1
        keep(findings.mismatches, { ...what, chain: text(difference.mismatch.chain) })
      }
      for (const { node, value } of difference.differing) {
        findings.nodeDifferenceCount += 1
        keep(findings.nodeDifferences, { ...what, node, says: text(value) })
      }
      return difference.mismatch !== undefined
    },
  }
  function keep<T>(list: T[], item: T): void {
    if (list.length < mostKept) list.push(item)
    else findings.truncated = true
  }
  return findings
}

/** Difference of a stored value from the nodes' answers; undefined if all confirm it. */
function differenceOf<T extends string | bigint | null>(
  stored: T,
  answers: readonly Answer<T>[],
): { mismatch: { chain: T } | undefined; differing: readonly Answer<T>[] } | undefined {
  const others = answers.filter((answer) => answer.value !== stored)
  const [first] = answers
  if (others.length === 0 || !first) return undefined
  // If one node confirms the stored value, nodes with another value are wrong.
  if (others.length < answers.length) return { mismatch: undefined, differing: others }
  return { mismatch: { chain: first.value }, differing: answers.filter((answer) => answer.value !== first.value) }
}

function text(value: string | bigint | null): string | null {
  if (value === null) return null
  const whole = String(value)
  return whole.length > longestText ? `${whole.slice(0, longestText)}…` : whole
}
