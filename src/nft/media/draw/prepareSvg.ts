import sharp from 'sharp'
import { imageUri, readNestedImage, toPng } from './nestedImage.ts'
import { repairSvg } from './repairSvg.ts'

export type PreparedSvg = {
  /** For the renderer. */
  bytes: Buffer
  /**
   * What is painted last is not drawn: what a host would give, HTML, scripts, pictures of CSS, of an unknown format or too
   * large. A plain surface may be all that is left then.
   */
  isPartial: boolean
}

/** Images in images in images: deeper ones are left as they are. */
const mostDepth = 3

/** Different images of one SVG that are decoded at most; the pictures of the largest collections have some 30 layers. */
const mostImages = 256

/** What the images that are put in place of others may add, in bytes. */
const mostAddedBytes = 33_554_432

/** What one SVG may still have decoded and added, in it and in those that it holds. */
type Budget = { images: number; pixels: number; bytes: number }

/**
 * An SVG as the renderer (librsvg, built with PNG and JPEG alone) draws what browsers draw: what is no well-formed XML is
 * repaired, and GIF, WebP, AVIF and BMP that stand in it as data: URIs become PNG. Nothing is fetched. At most
 * `maxPixels` are decoded in all.
 */
export async function prepareSvg(source: Buffer, { maxPixels }: { maxPixels: number }): Promise<PreparedSvg> {
  return await prepare(source, { images: mostImages, pixels: maxPixels, bytes: mostAddedBytes }, 0)
}

async function prepare(source: Buffer, budget: Budget, depth: number): Promise<PreparedSvg> {
  const marked = markSvg(source)
  const svg = (await isWellFormed(marked)) ? marked : markSvg(repairSvg(source))
  // One character a byte, so that places in the text are places in the bytes.
  const text = svg.toString('latin1')
  let drawnTo = lastPlace(text, shapes)
  let leftOutTo = lastPlace(text, undrawn)
  const pieces: Buffer[] = []
  const known = new Map<string, Redrawn>()
  let end = 0
  for (const { from, to } of nestedUris(text)) {
    const uri = text.slice(from, to)
    const image = known.get(uri) ?? (await redraw(uri, budget, depth))
    known.set(uri, image)
    // The same image many times is as much as many images.
    budget.bytes -= image.uri?.length ?? 0
    const isLeftOut = image.isPartial || budget.bytes < 0
    if (isLeftOut) leftOutTo = Math.max(leftOutTo, from)
    else drawnTo = Math.max(drawnTo, from)
    if (image.uri === undefined || budget.bytes < 0) continue
    pieces.push(svg.subarray(end, from), Buffer.from(image.uri, 'latin1'))
    end = to
  }
  const bytes = pieces.length === 0 ? svg : Buffer.concat([...pieces, svg.subarray(end)])
  return { bytes, isPartial: leftOutTo > drawnTo }
}

async function isWellFormed(svg: Buffer): Promise<boolean> {
  return await sharp(svg, { limitInputPixels: false })
    .metadata()
    .then(
      () => true,
      () => false,
    )
}

/** What browsers draw and the renderer leaves out: HTML, scripts, pictures by CSS, images of other files. */
const undrawn =
  /<(?:[\w.-]+:)?(?:foreignObject|script|canvas|video|iframe)[\s/>]|(?:background|content|border-image|list-style)[\w-]*\s*:[^;{}]{0,200}?url\(|<(?:[\w.-]+:)?(?:image|feImage)\s[^<>]*?href\s*=\s*["']\s*(?!data:|[#"'\s])/gi

/** What the renderer paints by itself. */
const shapes = /<(?:[\w.-]+:)?(?:rect|circle|ellipse|line|path|polygon|polyline|text|use)[\s/>]/g

/** Where the last match begins; -1 where there is none. */
function lastPlace(text: string, pattern: RegExp): number {
  let last = -1
  for (const { index } of text.matchAll(pattern)) last = index
  return last
}

/** Places of the data: URIs that attributes name. */
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

/** `uri`: another one for an image that the renderer would not draw; none where it draws the image, or where no program could. */
type Redrawn = { uri: string | undefined; isPartial: boolean }

async function redraw(written: string, budget: Budget, depth: number): Promise<Redrawn> {
  const image = readNestedImage(written)
  if (image.isDrawn) return { uri: undefined, isPartial: false }
  const { format, bytes } = image
  if (format === 'png' || format === 'jpeg') return { uri: imageUri(format, bytes), isPartial: false }
  const left = { uri: undefined, isPartial: true }
  if (format === undefined || budget.images-- <= 0) return left
  if (format !== 'svg+xml') {
    const png = await toPng(format, bytes, budget)
    return png ? { uri: imageUri('png', png), isPartial: false } : left
  }
  if (depth === mostDepth) return left
  const prepared = await prepare(bytes, budget, depth + 1)
  return { uri: imageUri(format, prepared.bytes), isPartial: prepared.isPartial }
}

/** libvips takes for SVG only what has `<svg` among its first 1,000 bytes. */
const seenBytes = 1_000

/**
 * An SVG whose root stands late (behind a DOCTYPE with entities, as drawing programs write them) or has a prefix, with a
 * comment in front that libvips recognises.
 */
function markSvg(bytes: Buffer): Buffer {
  const head = bytes.subarray(0, seenBytes).toString('latin1')
  if (head.includes('<svg')) return bytes
  // Nothing may stand before an XML declaration, which has to be the first thing after the mark of the byte order.
  const [start] = /^(?:\xef\xbb\xbf)?\s*(?:<\?xml\s[^>]*\?>)?/.exec(head) ?? ['']
  return Buffer.concat([bytes.subarray(0, start.length), Buffer.from('<!--<svg -->'), bytes.subarray(start.length)])
}
