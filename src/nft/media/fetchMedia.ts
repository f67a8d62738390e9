import {
  HostBusyError,
  HttpStatusError,
  OutboundError,
  TooLargeError,
  UnwantedBodyError,
} from '../../net/outboundError.ts'
import { describeError } from '../../util/errors.ts'
import { unpackGzip } from '../../util/files/unpackGzip.ts'
import type { Log } from '../../util/log.ts'
import { isBlockedAddress, type Origins } from '../metadata/fetchMetadata.ts'
import { metadataRetryDelay } from '../metadata/store/schedule.ts'
import { resolveUri } from '../metadata/uri/resolveUri.ts'
import { type DueMedia, type MediaResult, noMedia } from './mediaStore.ts'

/** The bytes of media, or only their start if the format is not supported. */
export type MediaSource = {
  bytes: Buffer
  /** As declared by the host. */
  mimetype: string | undefined
  /** Size of the whole file in bytes; undefined if only its start is known. */
  size: number | undefined
  /** Next attempt if a host sent this instead of media; null: the URL always has this content. */
  retryAt: Date | null
}

/** The host is paused: nothing was sent, so this is not an attempt. */
export type MediaBusy = { status: 'busy'; retryAt: Date }

/** Minimum wait of a preview whose host is busy, in milliseconds. */
const shortestBusyMs = 250

export type FetchMediaOptions = {
  origins: Origins
  settings: { retryDelaysMs: readonly number[]; maxBytes: number; drawsVideos: boolean }
  log: Log
  signal: AbortSignal
}

/** The host of a URL, which shares slots and workers with other hosts; undefined if no host is requested, or one of several gateways. */
export function mediaHost(url: string): string | undefined {
  if (/^\s*data:/i.test(url)) return undefined
  const resolved = resolveUri(url, 0n)
  return resolved.kind === 'http' ? new URL(resolved.url).host : undefined
}

/** Reads the bytes at the URL, or returns why there are none. Throws other errors than those of the URL or its host. */
export async function fetchMedia(
  { origins, settings, log, signal }: FetchMediaOptions,
  media: DueMedia,
): Promise<MediaSource | MediaResult | MediaBusy> {
  const later = (retryAfterMs?: number) =>
    new Date(Date.now() + metadataRetryDelay(settings.retryDelaysMs, media.attempts, retryAfterMs))
  const resolved = resolveUri(media.url, 0n)
  if (resolved.kind === 'refused') return { ...noMedia, status: 'invalid_url' }
  const failed = (retryAfterMs?: number): MediaResult => ({
    ...noMedia,
    status: 'host_unavailable',
    retryAt: later(retryAfterMs),
  })
  const retryAt = resolved.kind === 'http' ? later() : null
  const unpacked = async (bytes: Uint8Array, mimetype: string | undefined): Promise<MediaSource | MediaResult> => {
    const content = await unpackGzip(bytes, settings.maxBytes)
    if ('fault' in content)
      return retryAt && !content.isTooLarge ? failed() : { ...noMedia, status: 'unsupported_media' }
    return { bytes: Buffer.from(content.bytes), mimetype, size: content.bytes.length, retryAt }
  }
  if (resolved.kind === 'inline') return unpacked(resolved.bytes, resolved.mediaType || undefined)
  let videoStart: Buffer | undefined
  const wanted = {
    ...{ signal, maxBytes: settings.maxBytes, accept: 'image/*, */*;q=0.5' },
    wants(start: Buffer, size = 0): boolean {
      if (!media.isFile && mayBeDrawn(start)) return true
      videoStart = start
      return (media.isFile ? mayBePlayed(start) : settings.drawsVideos && isVideo(start)) && size <= settings.maxBytes
    },
  }
  try {
    const { body, contentType } =
      resolved.kind === 'http'
        ? await origins.http.get(resolved.url, wanted)
        : await origins.gateways.get(
            {
              network: resolved.kind,
              id: resolved.kind === 'ipfs' ? resolved.cid : resolved.id,
              path: resolved.path,
              original: resolved.original,
            },
            wanted,
          )
    if (body.length === 0) return failed()
    return await unpacked(body, contentType)
  } catch (error) {
    if (signal.aborted || !(error instanceof OutboundError)) throw error
    // Not an image: the start of a video or audio file shows its type.
    if (error instanceof UnwantedBodyError)
      return { bytes: error.start, mimetype: undefined, size: error.size, retryAt }
    // A video of unknown size that is too large to be drawn.
    if (error instanceof TooLargeError && videoStart)
      return { bytes: videoStart, mimetype: undefined, size: undefined, retryAt }
    log.debug({ url: media.url.slice(0, 200), reason: describeError(error) }, 'media not fetched')
    if (isBlockedAddress(error)) return { ...noMedia, status: 'invalid_url' }
    if (error instanceof HostBusyError)
      return { status: 'busy', retryAt: new Date(Date.now() + Math.max(shortestBusyMs, error.retryAfterMs)) }
    if (error instanceof HttpStatusError) return failed(error.retryAfterMs)
    // A host's response, such as a redirect loop, may change; the size of a file does not.
    const isTooLarge = error instanceof TooLargeError && error.what !== 'headers'
    const lasts = resolved.kind === 'http' ? isTooLarge : !error.retryable
    return lasts ? { ...noMedia, status: 'unsupported_media' } : failed()
  }
}

/**
 * Whether a file with these first bytes may have a supported format. It has the signature of PNG, JPEG, GIF, WebP, AVIF or gzip, which may contain
 * SVG, or is text, as SVG is. Other files are not read to their end; `detectType` determines the type in the worker.
 */
export function mayBeDrawn(start: Buffer): boolean {
  const text = start.toString('latin1', 0, 16)
  return marks.test(text) || !start.includes(0)
}

/**
 * Whether a file with these first bytes may be a video, audio file or animation that browsers play: MP4, WebM, Ogg, FLAC, WAVE, MP3, AAC, GIF, WebP or
 * APNG. Other files, such as pages and models, are not read to their end.
 */
export function mayBePlayed(start: Buffer): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the formats' marks hold them
  return /^(?:.{4}ftyp|\x1aE\xdf\xa3|OggS|fLaC|RIFF.{4}WAVE|ID3|\xff[\xe0-\xff]|GIF8|RIFF.{4}WEBP|\x89PNG)/s.test(
    start.toString('latin1', 0, 16),
  )
}

/** Whether a file with these first bytes is a video that may be drawn: MP4 and QuickTime, if they are not only audio, or WebM. */
export function isVideo(start: Buffer): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the formats' marks hold them
  return /^(?:.{4}ftyp(?!M4A|avi[fs]|he[iv]|mif1|msf1)|\x1aE\xdf\xa3)/s.test(start.toString('latin1', 0, 16))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the formats' marks hold them
const marks = /^(?:\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF|RIFF.{4}WEBP|.{4}ftypavi[fs]|\x1f\x8b\x08)/s
