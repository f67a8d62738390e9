/** Where a token's metadata or media can be fetched, if at all. */
export type ResolvedUri =
  /** An absolute http or https URL, serialised by the WHATWG URL standard, without fragment and credentials. */
  | { kind: 'http'; url: string }
  | {
      kind: 'ipfs'
      /** CIDv0 in base58, CIDv1 in base32. */
      cid: string
      /** '', or the path with its first slash, percent-encoded, without dot segments and query. */
      path: string
      /** The gateway's own URL, if the text was one: tried when the configured gateways do not have the content. */
      original: string | null
    }
  | {
      kind: 'arweave'
      /** A transaction id (43 digits of base64url) or a name. */
      id: string
      /** As for ipfs. */
      path: string
      original: string | null
    }
  | InlineUri
  /** Readable reason why nothing can be fetched. */
  | { kind: 'refused'; reason: string }

/** Metadata within the URI itself. */
export type InlineUri = {
  kind: 'inline'
  /** Declared type in lower case: `application/json`; '' if malformed. */
  mediaType: string
  charset: string | null
  bytes: Uint8Array
  /** The data: URI with these bytes, if it is nested in another one. */
  innerUri?: string
}

/** Content-Type of inline metadata, for `parseDocument`. */
export function inlineContentType({ mediaType, charset }: InlineUri): string | null {
  if (!mediaType) return null
  return charset ? `${mediaType};charset=${charset}` : mediaType
}
