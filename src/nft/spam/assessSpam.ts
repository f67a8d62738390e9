import { cleanText } from '../metadata/parse/cleanText.ts'
import type { SpamFacts } from './spamRules.ts'
import { spamRules } from './spamRules.ts'

export type SpamOptions = {
  /** Score from which a collection counts as spam, 1 to 100. */
  threshold?: number
}

export type SpamAssessment = {
  /** 0 to 100: sum of the weights of matching rules. */
  score: number
  /** A line per matching rule: `name-link +35: usdc-gift.com`. It has at most 120 UTF-16 units of untrusted text. */
  reasons: string[]
  spam: boolean
}

export const defaultSpamThreshold = 50

/** Assesses a collection by the rules of docs/spam.md. Deterministic; never throws. */
export function assessSpam(facts: SpamFacts, { threshold = defaultSpamThreshold }: SpamOptions = {}): SpamAssessment {
  let sum = 0
  const reasons: string[] = []
  for (const { id, weight, applies } of spamRules) {
    const detail = applies(facts)
    if (detail === undefined) continue
    sum += weight
    reasons.push(`${id} ${weight < 0 ? '' : '+'}${weight}: ${quote(detail)}`)
  }
  const score = Math.min(Math.max(sum, 0), 100)
  return { score, reasons, spam: score >= threshold }
}

/** The text as one line, without control and invisible characters. */
function quote(detail: string): string {
  return cleanText(detail, 120).replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
}
