import sharp from 'sharp'
import { imageUri, readNestedImage, toPng } from './nestedImage.ts'
import { repairSvg } from './repairSvg.ts'

export type PreparedSvg = {
  /** For the renderer. */
  bytes: Buffer
  /**
   * Content is omitted that a browser would draw: an image of a host, HTML, a script, a picture by CSS, an image of an unknown format or one that is
   * too large. A plain surface may be all that is left.
   */
  isPartial: boolean
}

/** SVGs in SVGs in SVGs: deeper ones are left as they are. */
const mostDepth = 3

/** Most different images of one SVG that are decoded; pictures of the largest collections have some 30 layers. */
const mostImages = 256

/** Most bytes of the images that take the place of others. */
const mostAddedBytes = 33_554_432

/** How much may still be decoded and added for one SVG and those in it. */
type Budget = { images: number; pixels: number; bytes: number }

/**
 * An SVG of which the renderer (librsvg, built with PNG and JPEG alone) draws what browsers draw. An SVG that is no well-formed XML is
 * repaired, and its data: URIs of GIF, WebP, AVIF and BMP become PNG. Nothing is fetched. At most `maxPixels` are decoded in all.
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
    // An image that occurs many times adds its bytes each time.
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

/** What browsers draw and the renderer omits: HTML, scripts, pictures by CSS, images of other files. */
const undrawn =
  /<(?:[\w.-]+:)?(?:foreignObject|script|canvas|video|iframe)[\s/>]|(?:background|content|border-image|list-style)[\w-]*\s*:[^;{}]{0,200}?url\(|<(?:[\w.-]+:)?(?:image|feImage)\s[^<>]*?href\s*=\s*["']\s*(?!data:|[#"'\s])/gi

/** What the renderer paints by itself. */
const shapes = /<(?:[\w.-]+:)?(?:rect|circle|ellipse|line|path|polygon|polyline|text|use)[\s/>]/g

/** Where the last match begins; -1 if there is none. */
function lastPlace(text: string, pattern: RegExp): number {
  let last = -1
  for (const { index } of text.matchAll(pattern)) last = index
  return last
}

/** Places of the data: URIs in attributes. */
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

/** `uri`: the image that takes the place of one that the renderer would not draw; undefined if it draws the image, or none can be made. */
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

/** libvips looks for `<svg` in the first 1,000 bytes, and takes nothing else for an SVG. */
const seenBytes = 1_000

/**
 * The SVG with a comment in front by which libvips knows it, where its root has a prefix or comes late, as after a DOCTYPE with the entities
 * that drawing programs write.
 */
function markSvg(bytes: Buffer): Buffer {
  const head = bytes.subarray(0, seenBytes).toString('latin1')
  if (head.includes('<svg')) return bytes
  // An XML declaration has to stay first, after the byte order mark.
  const [start] = /^(?:\xef\xbb\xbf)?\s*(?:<\?xml\s[^>]*\?>)?/.exec(head) ?? ['']
  return Buffer.concat([bytes.subarray(0, start.length), Buffer.from('<!--<svg -->'), bytes.subarray(start.length)])
}
