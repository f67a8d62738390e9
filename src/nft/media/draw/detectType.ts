import { fileTypeFromBuffer } from 'file-type'
import { textType } from '../../metadata/uri/textType.ts'
import type { MediaCategory, MediaType } from './preview.ts'

const unknown: MediaType = { mimetype: 'application/octet-stream', category: 'other' }

/**
 * The media type by its first bytes. The declared, untrusted type only distinguishes kinds of JSON. Runs in the worker, as a library that reads
 * hostile archives and videos may loop or exhaust memory.
 */
export async function detectType(bytes: Buffer, declared?: string): Promise<MediaType> {
  const magic = await fileTypeFromBuffer(bytes)
  // The library detects XML by its first line, and so does not detect SVG.
  if (magic && magic.mime !== 'application/xml') return { mimetype: magic.mime, category: categoryOf(magic.mime) }
  const mimetype = textType(bytes, declared)
  return mimetype === undefined ? unknown : { mimetype, category: categoryOf(mimetype) }
}

export function categoryOf(mimetype: string): MediaCategory {
  for (const [category, pattern] of patterns) if (pattern.test(mimetype)) return category
  return 'other'
}

/** The first matching pattern decides. */
const patterns: readonly (readonly [MediaCategory, RegExp])[] = [
  ['image', /^image\/|^application\/(?:postscript|eps)/],
  ['video', /^video\/|^application\/(?:ogg|mp4|mxf|vnd\.apple\.mpegurl|vnd\.ms-asf|x-shockwave-flash)/],
  ['audio', /^audio\//],
  ['model', /^model\//],
  ['font', /^font\/|^application\/vnd\.ms-fontobject/],
  [
    'document',
    /^text\/|^application\/(?:pdf|json|xml|rtf|epub|msword|x-cfb|x-mobipocket|xhtml|vnd\.(?:ms-|oasis|openxml))/,
  ],
  [
    'archive',
    /^application\/(?:zip|gzip|zstd|java-archive|x-.*(?:zip|compress|tar|rar|7z|xz|lz|cpio|archive|deb|rpm))/,
  ],
]
