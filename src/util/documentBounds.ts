// How long a token's URI, its metadata and the media in it may be. The bounds agree: what passes one of them passes the next one whole.
// Lengths are UTF-16 units unless they are called bytes.

/**
 * The largest metadata that is kept, in bytes as it came (decompressed, not yet decoded). A data: URI inside it is part of it,
 * with the media that it holds.
 */
export const maxDocumentBytes = 1_048_576

/** The longest token URI or data: URI that is read: metadata of the largest size with each byte percent-encoded. */
export const maxUriLength = 3 * maxDocumentBytes + 1_000

/** The longest URL that is fetched or shown: as written, after `{id}` has been replaced, and percent-encoded. */
export const maxUrlLength = 8_192

/**
 * The longest data: URI in `normalized_metadata` and `original_media_url`: a page of a hundred records has them all, beside the
 * metadata that hold them.
 */
export const maxShownDataUri = 100_000
