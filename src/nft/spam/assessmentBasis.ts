import { createHash } from 'node:crypto'
import { rulesVersion, spamRules } from './spamRules.ts'

/** Digest of everything that decides the assessment of given facts: the lists, by their digest, the rules with their weights, and the threshold. */
export function assessmentBasis({ lists, spamThreshold }: { lists: string; spamThreshold: number }): bigint {
  const rules = spamRules.map(({ id, weight }) => [id, weight])
  return createHash('sha256')
    .update(JSON.stringify([lists, spamThreshold, rulesVersion, rules]))
    .digest()
    .readBigInt64BE()
}
