/**
 * Whether a file that begins with these bytes may be of a format that previews are made of: it has the mark of PNG, JPEG, GIF, WebP or AVIF,
 * or of gzip, in which SVG is packed, or is text, as SVG is. This saves reading other files to their end; `detectType` finds the type, in the worker.
 */
export function mayBeDrawn(start: Buffer): boolean {
  const text = start.toString('latin1', 0, 16)
  return marks.test(text) || !start.includes(0)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the formats' marks hold them
const marks = /^(?:\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF|RIFF.{4}WEBP|.{4}ftypavi[fs]|\x1f\x8b\x08)/s
