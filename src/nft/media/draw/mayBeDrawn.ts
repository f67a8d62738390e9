/**
 * Whether what begins so may be of a format that previews are made of: by the marks of PNG, JPEG, GIF, WebP and AVIF, or as
 * text, which SVG is. Only sorts out what is not worth reading to its end: `detectType` tells the type, in the worker.
 */
export function mayBeDrawn(start: Buffer): boolean {
  const text = start.toString('latin1', 0, 16)
  return marks.test(text) || !start.includes(0)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the formats' marks hold them
const marks = /^(?:\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF|RIFF.{4}WEBP|.{4}ftypavi[fs])/s
