import { inlineContentType, type ResolvedUri } from '../uri/resolvedUri.ts'
import { resolveUri, unwrapUri } from '../uri/resolveUri.ts'
import type { BodyMedia } from './describeBody.ts'
import { readDocument } from './parseDocument.ts'
import type { JsonObject } from './readKey.ts'

/**
 * Replacement metadata of a token whose URI leads to media and to no JSON: the one member `image` or `animation_url` with the
 * address of the media. That is the token URI; content that is in the URI in another way than as a data: URI of its type becomes one.
 */
export function ownMedia(uri: string, resolved: ResolvedUri, media: BodyMedia & { bytes: Uint8Array }): JsonObject {
  return { [media.field]: addressOf(uri, resolved, media) }
}

function addressOf(uri: string, resolved: ResolvedUri, { mimetype, bytes }: BodyMedia & { bytes: Uint8Array }): string {
  if (resolved.kind !== 'inline') return unwrapUri(uri)
  const own = resolved.innerUri ?? unwrapUri(uri)
  // A browser shows these as they are.
  if (/^data:/i.test(own) && resolved.mediaType.split('/')[0] === mimetype.split('/')[0] && mimetype !== 'text/plain')
    return own
  return `data:${mimetype};base64,${Buffer.from(bytes).toString('base64')}`
}

/** As `ownMedia`, where the media is in the token URI itself; null for any other URI. */
export async function inlineMedia(uri: string): Promise<JsonObject | null> {
  const resolved = resolveUri(uri, 0n)
  if (resolved.kind !== 'inline') return null
  const parsed = await readDocument(resolved.bytes, inlineContentType(resolved))
  return !parsed.ok && parsed.media ? ownMedia(uri, resolved, parsed.media) : null
}
