/** The largest metadata document that is kept, in bytes as it came (decompressed, not yet decoded). */
export const maxDocumentBytes = 1_048_576
