import type { Findings } from './createFindings.ts'
import type { Panel } from './createPanel.ts'
import type { Answer } from './judge.ts'
import type { StoredToken } from './readTokens.ts'
import type { MismatchKind } from './verification.ts'

/** ERC-721: each token's owner. Answers how many of the tokens exist as the first node says. */
export async function checkOwners(
  { panel, findings }: { panel: Panel; findings: Findings },
  tokens: readonly StoredToken[],
): Promise<number> {
  const answers = await panel.ask((reader, signal) =>
    reader.owners(
      tokens.map((token) => token.tokenId),
      signal,
    ),
  )
  let existing = 0
  for (const [i, { tokenId, owner }] of tokens.entries()) {
    const said = answersAt(answers, i)
    if (said[0]?.value != null) existing += 1
    const chain = said[0]?.value ?? null
    const kind: MismatchKind = owner !== null && chain === null ? 'surplus' : owner === null ? 'missing' : 'owner'
    findings.compare({ kind, tokenId: String(tokenId) }, owner, said)
  }
  findings.compared.tokens += tokens.length
  return existing
}

/** What each node said of one of the things asked. */
export function answersAt<T>(answers: readonly Answer<readonly T[]>[], i: number): Answer<T>[] {
  return answers.map(({ node, value }) => ({ node, value: value[i] as T }))
}
