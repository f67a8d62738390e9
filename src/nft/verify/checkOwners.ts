import type { Findings } from './createFindings.ts'
import { answersAt, type Panel } from './createPanel.ts'
import type { StoredToken } from './readTokens.ts'
import type { MismatchKind } from './verification.ts'

/** ERC-721: compares each token's owner. Returns the number of existing tokens, by the first node. */
export async function checkOwners(
  { panel, findings }: { panel: Panel; findings: Findings },
  tokens: readonly StoredToken[],
): Promise<number> {
  if (tokens.length === 0) return 0
  const answers = await panel.request((reader, signal) =>
    reader.owners(
      tokens.map((token) => token.tokenId),
      signal,
    ),
  )
  let existing = 0
  for (const [i, { tokenId, owner }] of tokens.entries()) {
    const values = answersAt(answers, i)
    if (values[0]?.value != null) existing += 1
    const chain = values[0]?.value ?? null
    const kind: MismatchKind = owner !== null && chain === null ? 'surplus' : owner === null ? 'missing' : 'owner'
    findings.compare({ kind, tokenId: String(tokenId) }, owner, values)
  }
  findings.compared.tokens += tokens.length
  return existing
}
