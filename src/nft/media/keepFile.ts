import { createHash } from 'node:crypto'
import { playedEnding, playedTypes } from '../../util/playedTypes.ts'
import { fileKey, type PreviewStore } from './blobs/previewStore.ts'
import type { MediaSource } from './fetchMedia.ts'
import { type MediaResult, noMedia, publicUrlSlot } from './mediaStore.ts'

/** Where a file is stored, or why it is not. */
type Place = { key: string; contentType: string } | { reason: string }

/**
 * Stores a video, audio file or animation unchanged, so that browsers play it from this server. `result`: of its preview images, with the type by content;
 * the declared type is ignored.
 */
export async function keepFile(
  store: PreviewStore,
  source: MediaSource,
  { result, maxBytes }: { result: MediaResult; maxBytes: number },
): Promise<MediaResult> {
  const { mimetype, category, details, retryAt } = result
  if (mimetype === null || details === null) return result
  const parentHash = createHash('sha256').update(source.bytes).digest('hex')
  const place = placeOf(source, { mimetype, details, parentHash, maxBytes })
  const known = { ...noMedia, mimetype, category }
  if ('reason' in place)
    return {
      ...{ ...known, status: 'unsupported_media', retryAt },
      details: `${details},"reason":${JSON.stringify(place.reason)}`,
    }
  await store.put(place.key, source.bytes, place.contentType)
  return { ...known, status: 'success', parentHash, details: `${details},"url":"${publicUrlSlot}/media/${place.key}"` }
}

function placeOf(
  { bytes, size }: MediaSource,
  {
    mimetype,
    details,
    parentHash,
    maxBytes,
  }: { mimetype: string; details: string; parentHash: string; maxBytes: number },
): Place {
  const ending = playedEnding(mimetype)
  const contentType = ending && playedTypes[ending]
  const isStill = contentType?.startsWith('image/') && JSON.parse(`{${details}}`).duration === null
  if (ending === undefined || contentType === undefined || isStill)
    return {
      reason: `is ${mimetype}${isStill ? ', not animated' : ''}; allowed: videos, audio files and animations that browsers play`,
    }
  if (size === bytes.length) return { key: fileKey(parentHash, ending), contentType }
  return { reason: `has ${size ?? 'too many'} bytes; allowed: at most ${maxBytes} (media.maxBytes)` }
}
