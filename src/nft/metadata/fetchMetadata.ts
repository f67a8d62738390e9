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
import { isInputFault } from '../../util/faults/inputFault.ts'
import { shownReason } from '../../util/faults/shownReason.ts'
import { maxMetadataBytes } from '../../util/metadataBounds.ts'
import { cleanText } from './parse/cleanText.ts'
import { isMediaStart } from './parse/describeBody.ts'
import { findError } from './parse/findError.ts'
import { ownMedia } from './parse/ownMedia.ts'
import { readMetadataBody } from './parse/parseMetadata.ts'
import { type TokenMetadata, tokenMetadata } from './parse/tokenMetadata.ts'
import type { HostTry, MetadataHosts } from './store/metadataHosts.ts'
import { inlineContentType, type ResolvedUri } from './uri/resolvedUri.ts'
import { resolveUri } from './uri/resolveUri.ts'

/** Sources of metadata and media. */
export type Origins = {
  http: Pick<GuardedClient, 'get' | 'pausedMs'>
  /** Content of IPFS and Arweave through the configured gateways. */
  gateways: {
    get(
      content: { network: 'ipfs' | 'arweave'; id: string; path: string; original: string | null },
      options: Required<Pick<GetOptions, 'signal' | 'maxBytes' | 'accept'>> & Pick<GetOptions, 'wants'>,
    ): Promise<Pick<GuardedAnswer, 'body' | 'contentType'>>
  }
}

/** `hosts`: states of the collection's hosts, which the attempt updates. */
export type MetadataRequest = { uri: string; tokenId: bigint; hosts: MetadataHosts; signal: AbortSignal }

/** Outcome of fetching one URI. */
export type Fetched =
  | { kind: 'metadata'; metadata: TokenMetadata }
  /** A retry may succeed: the host is unreachable, responds with an error, or has no metadata there yet. */
  | { kind: 'failed'; reason: string; retryAfterMs: number | undefined }
  /** The host is paused; nothing was sent. */
  | { kind: 'busy'; retryAfterMs: number; reason: string }
  /** The host is dead: its tokens wait until it responds again. Nothing was sent, or the single trial failed. */
  | { kind: 'dead'; host: string; reason: string }
  /** No retry of this URI can succeed. */
  | { kind: 'permanent'; reason: string }

const reasonLength = 300

/**
 * Reads the metadata of a token URI. Throws the signal's reason, and errors of this machine. If the content of one token's metadata causes an error
 * of this program, only that token fails.
 */
export async function fetchMetadata(origins: Origins, request: MetadataRequest): Promise<Fetched> {
  try {
    return await fetchResolved(origins, request)
  } catch (error) {
    if (request.signal.aborted || !isInputFault(error)) throw error
    return { kind: 'failed', reason: shownReason(error), retryAfterMs: undefined }
  }
}

async function fetchResolved(origins: Origins, { uri, tokenId, hosts, signal }: MetadataRequest): Promise<Fetched> {
  const resolved = resolveUri(uri, tokenId)
  if (resolved.kind === 'refused') return { kind: 'permanent', reason: cleanText(resolved.reason, reasonLength) }
  const read = (bytes: Uint8Array, contentType: string | null) =>
    readContent({ bytes, contentType }, { uri, resolved, tokenId })
  if (resolved.kind === 'inline') return read(resolved.bytes, inlineContentType(resolved))
  const host = hostOf(resolved)
  const attempt = hosts.request(host)
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
    // Gateways have their own health state, and a gateway without a response often just does not find the content.
    if (resolved.kind !== 'http' || !noteFailure(attempt, error, failure.reason)) return failure
    return { kind: 'dead', host, reason: failure.reason }
  }
}

/** The host of a token URI's metadata in `MetadataHosts`; undefined if none is requested. */
export function metadataHost(uri: string, tokenId: bigint): string | undefined {
  const resolved = resolveUri(uri, tokenId)
  return resolved.kind === 'refused' || resolved.kind === 'inline' ? undefined : hostOf(resolved)
}

/** `ipfs` and `arweave` represent all gateways together. */
function hostOf(resolved: Exclude<ResolvedUri, { kind: 'refused' | 'inline' }>): string {
  return resolved.kind === 'http' ? new URL(resolved.url).host : resolved.kind
}

/** Records a failed attempt. True: the host is dead. Errors with a response count as responses, such as a status or a refused redirect. */
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
  // An image may be larger than metadata, and is detected by its start.
  const wants = (start: Buffer) => !isMediaStart(start)
  const options = { signal, maxBytes: maxMetadataBytes, accept: 'application/json, */*;q=0.5', wants }
  if (resolved.kind === 'http') return http.get(resolved.url, { ...options, onSend })
  const { path, original } = resolved
  return resolved.kind === 'ipfs'
    ? gateways.get({ network: 'ipfs', id: resolved.cid, path, original }, options)
    : gateways.get({ network: 'arweave', id: resolved.id, path, original }, options)
}

/** Parses the content of a token URI: metadata, or media in its place. */
async function readContent(
  { bytes, contentType }: { bytes: Uint8Array; contentType: string | null },
  { uri, resolved, tokenId }: { uri: string; resolved: ResolvedUri; tokenId: bigint },
): Promise<Fetched> {
  const parsed = await readMetadataBody(bytes, contentType)
  const fault = parsed.ok ? findError(parsed.value) : undefined
  if (parsed.ok && fault === undefined)
    return { kind: 'metadata', metadata: tokenMetadata(parsed.text, parsed.value, tokenId) }
  const isInline = resolved.kind === 'inline'
  // An HTML page from a host is an error; inline HTML from the contract is art.
  if (!parsed.ok && parsed.media && (isInline || parsed.media.mimetype !== 'text/html'))
    return { kind: 'metadata', metadata: tokenMetadata(null, ownMedia(uri, resolved, parsed.media), tokenId) }
  const reason = parsed.ok ? `an error instead of metadata (${fault})` : parsed.reason
  // A host may return other content until the metadata exists; inline content never changes.
  return isInline ? { kind: 'permanent', reason } : { kind: 'failed', reason, retryAfterMs: undefined }
}

type Failure = Exclude<Fetched, { kind: 'metadata' | 'dead' }>

function failureOf(error: OutboundError, kind: Exclude<ResolvedUri['kind'], 'refused' | 'inline'>): Failure {
  const reason = cleanText(shownReason(error), reasonLength)
  if (error instanceof HostBusyError) return { kind: 'busy', reason, retryAfterMs: error.retryAfterMs }
  // Also a 404: metadata is often published after the mint.
  if (error instanceof HttpStatusError) return { kind: 'failed', reason, retryAfterMs: error.retryAfterMs }
  const lasts = kind === 'http' ? isBlockedAddress(error) : !error.retryable
  return lasts ? { kind: 'permanent', reason } : { kind: 'failed', reason, retryAfterMs: undefined }
}

/** Whether the URL is permanently refused. A host's response, such as a redirect, may change; a disallowed URL stays disallowed. */
export function isBlockedAddress(error: OutboundError): boolean {
  return error instanceof AddressBlockedError || error instanceof BadUrlError
}
