import { inlineContentType, type ResolvedUri } from '../uri/resolvedUri.ts'
import { resolveUri, unwrapUri } from '../uri/resolveUri.ts'
import type { BodyMedia } from './describeBody.ts'
import { readMetadataBody } from './parseMetadata.ts'
import type { JsonObject } from './readKey.ts'

/**
 * Replacement metadata of a token whose URI leads to media instead of JSON: a single field `image` or `animation_url` with the URL of the media. That
 * is the token URI; inline content in another form becomes a data: URI of its type.
 */
export function ownMedia(uri: string, resolved: ResolvedUri, media: BodyMedia & { bytes: Uint8Array }): JsonObject {
  return { [media.field]: addressOf(uri, resolved, media) }
}

function addressOf(uri: string, resolved: ResolvedUri, { mimetype, bytes }: BodyMedia & { bytes: Uint8Array }): string {
  if (resolved.kind !== 'inline') return unwrapUri(uri)
  const own = resolved.innerUri ?? unwrapUri(uri)
  // Browsers show these unchanged.
  if (/^data:/i.test(own) && resolved.mediaType.split('/')[0] === mimetype.split('/')[0] && mimetype !== 'text/plain')
    return own
  return `data:${mimetype};base64,${Buffer.from(bytes).toString('base64')}`
}

/** As `ownMedia` for media within the token URI; null for other URIs. */
export async function inlineMedia(uri: string): Promise<JsonObject | null> {
  const resolved = resolveUri(uri, 0n)
  if (resolved.kind !== 'inline') return null
  const parsed = await readMetadataBody(resolved.bytes, inlineContentType(resolved))
  return !parsed.ok && parsed.media ? ownMedia(uri, resolved, parsed.media) : null
}
