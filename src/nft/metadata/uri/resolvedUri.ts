/** If a token's metadata, or its media, can be fetched, as `resolveUri` shows. */
export type ResolvedUri =
  /** An absolute http or https URL, serialised by the WHATWG URL standard, without fragment and credentials. */
  | { kind: 'http'; url: string }
  | {
      kind: 'ipfs'
      /** CIDv0 in base58, CIDv1 in base32. */
      cid: string
      /** '', or the path with its first slash, percent-encoded, without dot segments and query. */
      path: string
      /** The gateway's own URL where the text was one, to be tried when the configured gateways do not have the content. */
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
  /** For people: why nothing can be fetched. */
  | { kind: 'refused'; reason: string }

/** Metadata that is in the URI itself. */
export type InlineUri = {
  kind: 'inline'
  /** As declared, in lower case: `application/json`; '' if it is malformed. */
  mediaType: string
  charset: string | null
  bytes: Uint8Array
  /** The data: URI with these bytes, where it is the content of another one. */
  innerUri?: string
}

/** The Content-Type of metadata that is in its URI, as `parseDocument` takes it. */
export function inlineContentType({ mediaType, charset }: InlineUri): string | null {
  if (!mediaType) return null
  return charset ? `${mediaType};charset=${charset}` : mediaType
}
