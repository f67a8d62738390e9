import { maxDocumentBytes } from '../../../util/documentBounds.ts'
import { unpackGzip } from '../../../util/unpackGzip.ts'
import { type ParsedDocument, parseDocument } from './parseDocument.ts'

/** A metadata document from bytes as they came: as `parseDocument`, of gzip too that nobody declared. */
export async function readDocument(bytes: Uint8Array, contentType: string | null): Promise<ParsedDocument> {
  const unpacked = await unpackGzip(bytes, maxDocumentBytes)
  return 'fault' in unpacked ? { ok: false, reason: unpacked.fault } : parseDocument(unpacked.bytes, contentType)
}
