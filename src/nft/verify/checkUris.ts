import { chunksOf } from '../../util/chunksOf.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'
import type { Findings } from './createFindings.ts'
import { answersAt, type Panel } from './createPanel.ts'
import { digestUri, type StoredToken, type UriDigest } from './readTokens.ts'

/** URIs per multicall: each may contain a megabyte of metadata. */
const together = 50

type Options = { panel: Panel; findings: Findings }

/** Compares the stored token URIs with those of the contract at the block. */
export async function checkUris(options: Options, tokens: readonly StoredToken[]): Promise<void> {
  for (const standard of ['ERC721', 'ERC1155'] as const)
    await checkUrisOf(
      options,
      standard,
      tokens.filter((token) => token.uri !== null && token.amount > 0n && token.standard === standard),
    )
}

async function checkUrisOf(
  { panel, findings }: Options,
  standard: Standard,
  read: readonly StoredToken[],
): Promise<void> {
  for (const part of chunksOf(read, together)) {
    const ids = part.map((token) => token.tokenId)
    const answers = await panel.request((reader, signal) => reader.tokenUris(standard, ids, signal))
    for (const [i, token] of part.entries()) {
      const stored = token.uri!
      const values = answersAt(answers, i).map(({ node, value }) => ({ node, value: shownBeside(stored, value) }))
      findings.compare({ kind: 'uri', tokenId: String(token.tokenId) }, stored.shown, values)
    }
    findings.compared.uris += part.length
  }
}

/** The shown text of a URI, which equals the shown stored URI if and only if the URIs are equal. */
function shownBeside(stored: UriDigest, uri: string | null): string | null {
  if (uri === null) return null
  const { md5, shown } = digestUri(uri)
  if (md5 === stored.md5) return stored.shown
  return shown === stored.shown ? `${shown} (md5 ${md5})` : shown
}
