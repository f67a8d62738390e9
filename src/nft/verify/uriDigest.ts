import { hash } from 'node:crypto'

/** Digest of a token URI, which may contain a megabyte of metadata: the md5 of its stored JSON literal is compared, its beginning is shown. */
export type UriDigest = { md5: string; shown: string }

/** Longest literal that is shown completely. */
export const longestLiteral = 250

export function digestUri(uri: string): UriDigest {
  const literal = JSON.stringify(uri)
  return shortened(literal, hash('md5', literal))
}

/** The digest of a literal, of which `literal` has at least the first `longestLiteral + 1` characters. */
export function shortened(literal: string, md5: string): UriDigest {
  const whole = literal.length <= longestLiteral
  return { md5, shown: whole ? literal.slice(1, -1) : `${literal.slice(1, longestLiteral)}… (md5 ${md5})` }
}
