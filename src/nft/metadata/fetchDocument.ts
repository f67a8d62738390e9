import type { GetOptions, GuardedAnswer, GuardedClient } from '../../net/client.ts'
import {
  AddressBlockedError,
  BadUrlError,
  HostBusyError,
  HostUnavailableError,
  HttpStatusError,
  OutboundError,
  TimeoutError,
  UnwantedBodyError,
} from '../../net/outboundError.ts'
import { maxDocumentBytes } from '../../util/documentBounds.ts'
import { isInputFault } from '../../util/faults/inputFault.ts'
import { shownReason } from '../../util/faults/shownReason.ts'
import { cleanText } from './document/cleanText.ts'
import { isMediaStart } from './document/describeBody.ts'
import { findError } from './document/findError.ts'
import { type MetadataDocument, metadataDocument } from './document/metadataDocument.ts'
import { ownMedia } from './document/ownMedia.ts'
import { readDocument } from './document/parseDocument.ts'
import type { DocumentHosts, HostTry } from './store/documentHosts.ts'
import { inlineContentType, type ResolvedUri } from './uri/resolvedUri.ts'
import { resolveUri } from './uri/resolveUri.ts'

/** Sources of metadata and media. */
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

/** `hosts`: what is known of the collection's hosts; it learns from the try. */
export type DocumentRequest = { uri: string; tokenId: bigint; hosts: DocumentHosts; signal: AbortSignal }

/** Outcome of one fetch of one URI. */
export type Fetched =
  | { kind: 'document'; document: MetadataDocument }
  /** A later try may succeed: the host is unreachable, answers with an error, or has no metadata there yet. */
  | { kind: 'failed'; reason: string; retryAfterMs: number | undefined }
  /** The host is paused for now; nothing was sent. */
  | { kind: 'busy'; retryAfterMs: number; reason: string }
  /** The host is dead: its tokens wait until it answers again. Nothing was sent, or the one trial failed. */
  | { kind: 'dead'; host: string; reason: string }
  /** No later try of this URI can succeed. */
  | { kind: 'permanent'; reason: string }

const reasonLength = 300

/**
 * Reads the metadata that a token URI represents. Throws the signal's reason, and errors of this machine. If this program throws over the
 * content of one token's metadata, only that token fails, and the rest of its collection continues.
 */
export async function fetchDocument(origins: Origins, request: DocumentRequest): Promise<Fetched> {
  try {
    return await fetchResolved(origins, request)
  } catch (error) {
    if (request.signal.aborted || !isInputFault(error)) throw error
    return { kind: 'failed', reason: shownReason(error), retryAfterMs: undefined }
  }
}

async function fetchResolved(origins: Origins, { uri, tokenId, hosts, signal }: DocumentRequest): Promise<Fetched> {
  const resolved = resolveUri(uri, tokenId)
  if (resolved.kind === 'refused') return { kind: 'permanent', reason: cleanText(resolved.reason, reasonLength) }
  const read = (bytes: Uint8Array, contentType: string | null) =>
    readContent({ bytes, contentType }, { uri, resolved, tokenId })
  if (resolved.kind === 'inline') return read(resolved.bytes, inlineContentType(resolved))
  const host = hostOf(resolved)
  const attempt = hosts.ask(host)
  if (!attempt) return { kind: 'dead', host, reason: hosts.faultOf(host) }
  try {
    const { body, contentType } = await get(origins, resolved, attempt.sent, signal)
    attempt.answered()
    return await read(body, contentType ?? null)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (!(error instanceof OutboundError)) throw error
    if (error instanceof UnwantedBodyError) {
      attempt.answered()
      return await read(error.start, null)
    }
    const failure = failureOf(error, resolved.kind)
    // Gateways have their own health, and one that does not respond often only does not find the content.
    if (resolved.kind !== 'http' || !noteFailure(attempt, error, failure.reason)) return failure
    return { kind: 'dead', host, reason: failure.reason }
  }
}

/** The host of a token URI's metadata, as `DocumentHosts` names it; undefined if none is queried. */
export function documentHost(uri: string, tokenId: bigint): string | undefined {
  const resolved = resolveUri(uri, tokenId)
  return resolved.kind === 'refused' || resolved.kind === 'inline' ? undefined : hostOf(resolved)
}

/** `ipfs` and `arweave` represent all gateways together. */
function hostOf(resolved: Exclude<ResolvedUri, { kind: 'refused' | 'inline' }>): string {
  return resolved.kind === 'http' ? new URL(resolved.url).host : resolved.kind
}

/** Notes how a try failed. True: the host is dead. Every error with a response counts as an answer, such as a status or a refused address. */
function noteFailure(attempt: HostTry, error: OutboundError, reason: string): boolean {
  if (error instanceof HostUnavailableError || (error instanceof TimeoutError && error.phase !== 'idle'))
    return attempt.failed(reason)
  if (error instanceof HostBusyError) return attempt.postponed(error.retryAfterMs)
  attempt.answered()
  return false
}

function get(
  { http, gateways }: Origins,
  resolved: Exclude<ResolvedUri, { kind: 'refused' | 'inline' }>,
  onSend: () => void,
  signal: AbortSignal,
): Promise<Pick<GuardedAnswer, 'body' | 'contentType'>> {
  // An image, which may be larger than metadata may be, is known by its start.
  const wants = (start: Buffer) => !isMediaStart(start)
  const options = { signal, maxBytes: maxDocumentBytes, accept: 'application/json, */*;q=0.5', wants }
  if (resolved.kind === 'http') return http.get(resolved.url, { ...options, onSend })
  const { path, original } = resolved
  return resolved.kind === 'ipfs'
    ? gateways.get({ network: 'ipfs', id: resolved.cid, path, original }, options)
    : gateways.get({ network: 'arweave', id: resolved.id, path, original }, options)
}

/** What the content behind a token URI is: metadata, or media, which needs none. */
async function readContent(
  { bytes, contentType }: { bytes: Uint8Array; contentType: string | null },
  { uri, resolved, tokenId }: { uri: string; resolved: ResolvedUri; tokenId: bigint },
): Promise<Fetched> {
  const parsed = await readDocument(bytes, contentType)
  const fault = parsed.ok ? findError(parsed.value) : undefined
  if (parsed.ok && fault === undefined)
    return { kind: 'document', document: metadataDocument(parsed.text, parsed.value, tokenId) }
  const isInline = resolved.kind === 'inline'
  // A page that a host sends reports an error; one that the contract itself gives is art.
  if (!parsed.ok && parsed.media && (isInline || parsed.media.mimetype !== 'text/html'))
    return { kind: 'document', document: metadataDocument(null, ownMedia(uri, resolved, parsed.media), tokenId) }
  const reason = parsed.ok ? `an error instead of metadata (${fault})` : parsed.reason
  // A host may serve another content until the metadata is there; that of the URI itself never changes.
  return isInline ? { kind: 'permanent', reason } : { kind: 'failed', reason, retryAfterMs: undefined }
}

type Failure = Exclude<Fetched, { kind: 'document' | 'dead' }>

function failureOf(error: OutboundError, kind: Exclude<ResolvedUri['kind'], 'refused' | 'inline'>): Failure {
  const reason = cleanText(shownReason(error), reasonLength)
  if (error instanceof HostBusyError) return { kind: 'busy', reason, retryAfterMs: error.retryAfterMs }
  // Also a 404: metadata is often put up after the mint.
  if (error instanceof HttpStatusError) return { kind: 'failed', reason, retryAfterMs: error.retryAfterMs }
  const lasts = kind === 'http' ? isRefusedAddress(error) : !error.retryable
  return lasts ? { kind: 'permanent', reason } : { kind: 'failed', reason, retryAfterMs: undefined }
}

/** Whether the address is never requested. A host's response may change tomorrow; an address that is not allowed stays so. */
export function isRefusedAddress(error: OutboundError): boolean {
  return error instanceof AddressBlockedError || (error instanceof BadUrlError && error.fault !== 'downgrade')
}
