// Maximum lengths of a token's URI, its metadata and the media in it. They agree: what one of them accepts, the next one accepts completely. Lengths
// are in UTF-16 units unless they are called bytes.

/** The largest accepted metadata, in bytes as received (decompressed, not yet decoded). A data: URI inside it counts with its media. */
export const maxMetadataBytes = 1_048_576

/** The longest accepted token URI or data: URI: metadata of the largest size with each byte percent-encoded. */
export const maxUriLength = 3 * maxMetadataBytes + 1_000

/** The longest URL that is fetched or returned: as written, after `{id}` has been replaced, and percent-encoded. */
export const maxUrlLength = 8_192

/** The longest data: URI in `normalized_metadata` and `original_media_url`: a page of a hundred records contains them all, beside the metadata. */
export const maxShownDataUri = 100_000
