import sharp from 'sharp'
import { imageUri, readNestedImage, toPng } from './nestedImage.ts'
import { repairSvg } from './repairSvg.ts'

export type PreparedSvg = {
  /** Input of the renderer. */
  bytes: Buffer
  /**
   * Omits content that a browser would draw: an external image, HTML, a script, an image in CSS, or an unknown or oversized image. Possibly only a
   * plain surface remains.
   */
  isPartial: boolean
}

/** Depth of SVGs within SVGs; deeper ones are unchanged. */
const mostDepth = 3

/** Most different images per SVG that are decoded; images of the largest collections have about 30 layers. */
const mostImages = 256

/** Most bytes of replacement images. */
const mostAddedBytes = 33_554_432

/** Remaining budget for one SVG, including nested ones. */
type Budget = { images: number; pixels: number; bytes: number }

/**
 * Converts an SVG so that the renderer (librsvg, with PNG and JPEG only) draws what browsers draw. Repairs XML that is not well-formed, and converts
 * data: URIs of GIF, WebP, AVIF and BMP to PNG. Fetches nothing. Decodes at most `maxPixels` in all.
 */
export async function prepareSvg(source: Buffer, { maxPixels }: { maxPixels: number }): Promise<PreparedSvg> {
  return await prepare(source, { images: mostImages, pixels: maxPixels, bytes: mostAddedBytes }, 0)
}

async function prepare(source: Buffer, budget: Budget, depth: number): Promise<PreparedSvg> {
  const marked = markSvg(source)
  const svg = (await isWellFormed(marked)) ? marked : markSvg(repairSvg(source))
  // One character per byte, so that text positions are byte positions.
  const text = svg.toString('latin1')
  let drawnTo = lastPlace(text, shapes)
  let skippedTo = lastPlace(text, undrawn)
  const chunks: Buffer[] = []
  const known = new Map<string, Redrawn>()
  let end = 0
  for (const { from, to } of nestedUris(text)) {
    const uri = text.slice(from, to)
    const image = known.get(uri) ?? (await redraw(uri, budget, depth))
    known.set(uri, image)
    // An image that occurs repeatedly adds its bytes each time.
    budget.bytes -= image.uri?.length ?? 0
    const isSkipped = image.isPartial || budget.bytes < 0
    if (isSkipped) skippedTo = Math.max(skippedTo, from)
    else drawnTo = Math.max(drawnTo, from)
    if (image.uri === undefined || budget.bytes < 0) continue
    chunks.push(svg.subarray(end, from), Buffer.from(image.uri, 'latin1'))
    end = to
  }
  const bytes = chunks.length === 0 ? svg : Buffer.concat([...chunks, svg.subarray(end)])
  return { bytes, isPartial: skippedTo > drawnTo }
}

async function isWellFormed(svg: Buffer): Promise<boolean> {
  return await sharp(svg, { limitInputPixels: false })
    .metadata()
    .then(
      () => true,
      () => false,
    )
}

/** Content that browsers draw and the renderer omits: HTML, scripts, images in CSS, external images. */
const undrawn =
  /<(?:[\w.-]+:)?(?:foreignObject|script|canvas|video|iframe)[\s/>]|(?:background|content|border-image|list-style)[\w-]*\s*:[^;{}]{0,200}?url\(|<(?:[\w.-]+:)?(?:image|feImage)\s[^<>]*?href\s*=\s*["']\s*(?!data:|[#"'\s])/gi

/** Elements that the renderer paints. */
const shapes = /<(?:[\w.-]+:)?(?:rect|circle|ellipse|line|path|polygon|polyline|text|use)[\s/>]/g

/** Position of the last match; -1 for none. */
function lastPlace(text: string, pattern: RegExp): number {
  let last = -1
  for (const { index } of text.matchAll(pattern)) last = index
  return last
}

/** Positions of data: URIs in attributes. */
function* nestedUris(text: string): Generator<{ from: number; to: number }> {
  const attribute = /href\s*=\s*(["'])\s*(?=data:)/gi
  for (let found = attribute.exec(text); found; found = attribute.exec(text)) {
    const from = attribute.lastIndex
    const to = text.indexOf(found[1]!, from)
    if (to < 0) return
    yield { from, to }
    attribute.lastIndex = to
  }
}

/** `uri`: replacement for an image that the renderer would not draw; undefined if it draws the image, or none can be made. */
type Redrawn = { uri: string | undefined; isPartial: boolean }

async function redraw(written: string, budget: Budget, depth: number): Promise<Redrawn> {
  const image = readNestedImage(written)
  if (image.isDrawn) return { uri: undefined, isPartial: false }
  const { format, bytes } = image
  if (format === 'png' || format === 'jpeg') return { uri: imageUri(format, bytes), isPartial: false }
  const skipped = { uri: undefined, isPartial: true }
  if (format === undefined || budget.images-- <= 0) return skipped
  if (format !== 'svg+xml') {
    const png = await toPng(format, bytes, budget)
    return png ? { uri: imageUri('png', png), isPartial: false } : skipped
  }
  if (depth === mostDepth) return skipped
  const prepared = await prepare(bytes, budget, depth + 1)
  return { uri: imageUri(format, prepared.bytes), isPartial: prepared.isPartial }
}

/** libvips detects an SVG only by `<svg` in the first 1,000 bytes. */
const seenBytes = 1_000

/**
 * Prepends a comment by which libvips detects the SVG. Needed if the root has a prefix or comes late, as after a DOCTYPE with the entities of drawing
 * programs.
 */
function markSvg(bytes: Buffer): Buffer {
  const head = bytes.subarray(0, seenBytes).toString('latin1')
  if (head.includes('<svg')) return bytes
  // An XML declaration must stay first, after the byte order mark.
  const [start] = /^(?:\xef\xbb\xbf)?\s*(?:<\?xml\s[^>]*\?>)?/.exec(head) ?? ['']
  return Buffer.concat([bytes.subarray(0, start.length), Buffer.from('<!--<svg -->'), bytes.subarray(start.length)])
}

/** Characters in which the root tag is searched. */
const mostHead = 8_192

/**
 * Background colour in the inline style of an SVG's root, which browsers paint below the drawing, but not the renderer: hex digits, `rgb(…)` or a
 * common name, unchanged. Undefined for none, images, gradients and transparent colours.
 */
export function rootBackground(svg: string): string | undefined {
  // `markSvg` puts its mark into a comment.
  const head = svg.slice(0, mostHead).replaceAll(/<!--.*?-->/gs, '')
  const tag = /<(?:[\w.-]+:)?svg\s[^>]*/.exec(head)?.[0] ?? ''
  const [, quoted, single] = /\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(tag) ?? []
  const declarations = (quoted ?? single ?? '').split(';').map((declaration) => declaration.split(':', 2))
  const last = declarations.findLast(([property]) => /^\s*background(?:-color)?\s*$/i.test(property!))
  const color = last?.[1]?.replace(/!\s*important\s*$/i, '').trim() ?? ''
  return opaque.test(color) || names.has(color.toLowerCase()) ? color : undefined
}

const opaque = /^(?:#(?:[\da-f]{3}){1,2}|rgb\(\s*\d{1,3}\s*,\s*\d{1,3}\s*,\s*\d{1,3}\s*\))$/i

/** Colour names of CSS 2.1; others are ignored. */
const names: ReadonlySet<string> = new Set(
  'aqua black blue fuchsia gray green lime maroon navy olive orange purple red silver teal white yellow'.split(' '),
)
