import { hash } from 'node:crypto'

/**
 * A token URI may be a document of a megabyte: what is compared is the md5 of its JSON literal, which is how it is stored,
 * and what is shown its beginning.
 */
export type UriDigest = { md5: string; shown: string }

/** Characters of a literal that are shown whole. */
export const longestLiteral = 250

export function digestUri(uri: string): UriDigest {
  const literal = JSON.stringify(uri)
  return shortened(literal, hash('md5', literal))
}

/** Of a literal, or of its first `longestLiteral + 1` characters where it is longer. */
export function shortened(literal: string, md5: string): UriDigest {
  const whole = literal.length <= longestLiteral
  return { md5, shown: whole ? literal.slice(1, -1) : `${literal.slice(1, longestLiteral)}… (md5 ${md5})` }
}
