import sharp from 'sharp'
import { parseDataUri } from '../../metadata/uri/parseDataUri.ts'
import { textType } from '../../metadata/uri/textType.ts'
import { decodeBmp } from './decodeBmp.ts'

/** Format of an image in an SVG, by its first bytes. */
export type NestedFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'avif' | 'bmp' | 'svg+xml'

/** An image in an SVG, as a data: URI. */
export type NestedImage = {
  /** Undefined: unknown format. */
  format: NestedFormat | undefined
  bytes: Buffer
  /** Whether the renderer draws it unchanged. */
  isDrawn: boolean
}

/** Longest PNG, in bytes: the renderer rejects attributes of more than 10 MB. */
const mostPngBytes = 7_000_000

/** Larger images are scaled down, in pixels: the largest preview has 500. */
const mostSide = 1_500

/** `written`: the URI in the SVG, one character per byte. */
export function readNestedImage(written: string): NestedImage {
  const parsed = parseDataUri(unescapeXml(Buffer.from(written, 'latin1').toString('utf8')).trim())
  if (parsed.kind !== 'inline') {
    // Not readable here, for example because it exceeds the limit of metadata; the renderer may still decode it.
    const isDrawn = /^data:image\/(?:png|jpe?g);base64,/i.test(written)
    return { format: undefined, bytes: Buffer.alloc(0), isDrawn }
  }
  const bytes = Buffer.from(parsed.bytes)
  const format = formatOf(bytes)
  // The renderer trusts these declared types; for other types it checks the first bytes.
  const isBelieved = /^image\/(?:gif|webp|avif|svg\+xml)$/.test(parsed.mediaType)
  return { format, bytes, isDrawn: (format === 'png' || format === 'jpeg') && !isBelieved }
}

export function imageUri(format: NestedFormat, bytes: Buffer): string {
  return `data:image/${format};base64,${bytes.toString('base64')}`
}

function formatOf(bytes: Buffer): NestedFormat | undefined {
  const start = bytes.toString('latin1', 0, 16)
  for (const [format, mark] of marks) if (mark.test(start)) return format
  return textType(bytes) === 'image/svg+xml' ? 'svg+xml' : undefined
}

const marks: readonly (readonly [NestedFormat, RegExp])[] = [
  ['png', /^\x89PNG/],
  ['jpeg', /^\xff\xd8\xff/],
  ['gif', /^GIF8/],
  ['webp', /^RIFF.{4}WEBP/s],
  ['avif', /^.{4}ftypavi[fs]/s],
  ['bmp', /^BM/],
]

/** The first frame as PNG; its pixels count against the budget. Undefined: it cannot be decoded, or is too large. */
export async function toPng(
  format: NestedFormat,
  bytes: Buffer,
  budget: { pixels: number },
): Promise<Buffer | undefined> {
  if (budget.pixels <= 0) return undefined
  const limits = { failOn: 'error', limitInputPixels: budget.pixels, animated: false } as const
  const bitmap = format === 'bmp' ? decodeBmp(bytes, budget.pixels) : undefined
  if (format === 'bmp' && !bitmap) return undefined
  try {
    const { data, ...raw } = bitmap ?? { data: bytes }
    const image = sharp(data, 'width' in raw ? { ...limits, raw } : limits)
    const { width, height } = await image.metadata()
    budget.pixels -= width * height
    if (budget.pixels < 0) return undefined
    const png = await image
      .resize(mostSide, mostSide, { fit: 'inside', withoutEnlargement: true })
      .png({ compressionLevel: 2 })
      .toBuffer()
    return png.length <= mostPngBytes ? png : undefined
  } catch {
    // Any decoder error omits the image, as for a truncated one.
    return undefined
  }
}

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescapeXml(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (name) return characters[String(name).toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
