import type { Sql } from '../../db/database.ts'
import type { Findings } from './createFindings.ts'
import { answersAt, type Panel } from './createPanel.ts'
import type { Subject } from './openSubject.ts'
import { readBalances, type StoredToken } from './readTokens.ts'

/**
 * ERC-1155: compares every holder's balance, and each id's amount with the sum of its holders and, if supported, with totalSupply(id). Returns ids
 * with wrong amounts, for the search of missing holders.
 */
export async function checkBalances(
  { panel, findings, subject, sql }: { panel: Panel; findings: Findings; subject: Subject; sql: Sql },
  tokens: readonly StoredToken[],
): Promise<bigint[]> {
  if (tokens.length === 0) return []
  const byHash = new Map(tokens.map((token) => [token.hash, token]))
  /** By token hash and node: sum of the stored holders' balances. */
  const sums = new Map(tokens.map((token) => [token.hash, new Map<string, bigint>()]))
  for await (const balances of readBalances(sql, subject, [...byHash.keys()])) {
    const holdings = balances.map(({ hash, holder }) => ({ holder, tokenId: byHash.get(hash)!.tokenId }))
    const answers = await panel.request((reader, signal) => reader.balances(holdings, signal))
    for (const [i, { hash, holder, amount }] of balances.entries()) {
      const values = answersAt(answers, i)
      const sum = sums.get(hash)!
      for (const { node, value } of values) sum.set(node, (sum.get(node) ?? 0n) + (value ?? 0n))
      findings.compare({ kind: 'balance', tokenId: String(holdings[i]!.tokenId), holder }, amount, values)
    }
    findings.compared.balances += balances.length
  }
  const ids = tokens.map((token) => token.tokenId)
  const supplies = await panel.request((reader, signal) => reader.supplies(ids, signal))
  const wrong: bigint[] = []
  for (const [i, token] of tokens.entries()) {
    const tokenId = String(token.tokenId)
    const values = supplies.map(({ node }) => ({ node, value: sums.get(token.hash)!.get(node) ?? 0n }))
    const isBurned = values.every((answer) => answer.value === 0n) && token.amount > 0n
    const amountWrong = findings.compare({ kind: isBurned ? 'surplus' : 'amount', tokenId }, token.amount, values)
    const counted = answersAt(supplies, i)
    // A contract without totalSupply(id) returns null.
    const supplyWrong =
      counted.some((answer) => answer.value !== null) &&
      findings.compare({ kind: 'supply', tokenId }, token.amount, counted)
    if (amountWrong || supplyWrong) wrong.push(token.tokenId)
  }
  findings.compared.tokens += tokens.length
  return wrong
}
