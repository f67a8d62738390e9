import type { GetOptions, GuardedAnswer, GuardedClient } from '../../net/client.ts'
import { HostBusyError, HttpStatusError, OutboundError } from '../../net/outboundError.ts'
import { maxDocumentBytes } from '../../util/documentBounds.ts'
import { isInputFault } from '../../util/inputFault.ts'
import { shownReason } from '../../util/shownReason.ts'
import { cleanText } from './cleanText.ts'
import { findError } from './findError.ts'
import { type MetadataDocument, metadataDocument } from './metadataDocument.ts'
import { parseDocument } from './parseDocument.ts'
import { inlineContentType, type ResolvedUri } from './resolvedUri.ts'
import { resolveUri } from './resolveUri.ts'

/** Where documents and media come from. */
export type Origins = {
  http: Pick<GuardedClient, 'get' | 'pausedMs'>
  /** Content of IPFS and Arweave by way of the configured gateways. */
  gateways: {
    get(
      content: { network: 'ipfs' | 'arweave'; id: string; path: string; original: string | null },
      options: Required<Pick<GetOptions, 'signal' | 'maxBytes' | 'accept'>> & Pick<GetOptions, 'wants'>,
    ): Promise<Pick<GuardedAnswer, 'body' | 'contentType'>>
  }
}

/** What one try of one URI gave. */
export type Fetched =
  | { kind: 'document'; document: MetadataDocument }
  /** May pass: the host is away, busy or refuses now. */
  | { kind: 'failed'; reason: string; retryAfterMs: number | undefined }
  /** The host is left alone for now; nothing was sent. */
  | { kind: 'busy'; retryAfterMs: number; reason: string }
  /** Will not pass by itself. */
  | { kind: 'permanent'; reason: string }

const reasonLength = 300

/**
 * Reads the document that a token URI stands for. Throws the signal's reason, and faults of this machine; a document over which the
 * program stumbles is one that failed, as the others of its collection are none the worse for it.
 */
export async function fetchDocument(
  origins: Origins,
  uri: string,
  tokenId: bigint,
  signal: AbortSignal,
): Promise<Fetched> {
  try {
    return await fetchResolved(origins, uri, tokenId, signal)
  } catch (error) {
    if (signal.aborted || !isInputFault(error)) throw error
    return { kind: 'failed', reason: shownReason(error), retryAfterMs: undefined }
  }
}

async function fetchResolved(origins: Origins, uri: string, tokenId: bigint, signal: AbortSignal): Promise<Fetched> {
  const resolved = resolveUri(uri, tokenId)
  if (resolved.kind === 'refused') return { kind: 'permanent', reason: cleanText(resolved.reason, reasonLength) }
  if (resolved.kind === 'inline') return parse(resolved.bytes, inlineContentType(resolved), tokenId, 'permanent')
  try {
    const { body, contentType } = await get(origins, resolved, signal)
    return parse(body, contentType ?? null, tokenId, 'failed')
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (!(error instanceof OutboundError)) throw error
    return failureOf(error)
  }
}

function get(
  { http, gateways }: Origins,
  resolved: Exclude<ResolvedUri, { kind: 'refused' | 'inline' }>,
  signal: AbortSignal,
): Promise<Pick<GuardedAnswer, 'body' | 'contentType'>> {
  const options = { signal, maxBytes: maxDocumentBytes, accept: 'application/json, */*;q=0.5' }
  if (resolved.kind === 'http') return http.get(resolved.url, options)
  const { path, original } = resolved
  return resolved.kind === 'ipfs'
    ? gateways.get({ network: 'ipfs', id: resolved.cid, path, original }, options)
    : gateways.get({ network: 'arweave', id: resolved.id, path, original }, options)
}

/** A host may serve a page of its own where a document will be; what stands in the URI itself never changes. */
function parse(
  bytes: Uint8Array,
  contentType: string | null,
  tokenId: bigint,
  otherwise: 'failed' | 'permanent',
): Fetched {
  const parsed = parseDocument(bytes, contentType)
  const fault = parsed.ok ? findError(parsed.value) : undefined
  if (parsed.ok && fault === undefined)
    return { kind: 'document', document: metadataDocument(parsed.text, parsed.value, tokenId) }
  const reason = parsed.ok ? `an error instead of a document (${fault})` : parsed.reason
  return otherwise === 'failed' ? { kind: 'failed', reason, retryAfterMs: undefined } : { kind: 'permanent', reason }
}

function failureOf(error: OutboundError): Fetched {
  const reason = cleanText(shownReason(error), reasonLength)
  if (error instanceof HostBusyError) return { kind: 'busy', reason, retryAfterMs: error.retryAfterMs }
  // Also a 404: documents are often put up after the mint.
  if (error instanceof HttpStatusError) return { kind: 'failed', reason, retryAfterMs: error.retryAfterMs }
  return error.retryable ? { kind: 'failed', reason, retryAfterMs: undefined } : { kind: 'permanent', reason }
}
