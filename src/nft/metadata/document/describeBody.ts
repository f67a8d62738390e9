/** For people, what a body is that should have been JSON: `an image (image/png)`. Undefined where that cannot be told. */
export function describeBody(bytes: Uint8Array, text: string, mediaType: string): string | undefined {
  const binary = signatures.find(({ at, magic }) => magic.every((byte, i) => bytes[at + i] === byte))
  if (binary) return binary.is
  const start = text.slice(0, 1000).trimStart()
  if (/^<svg[\s>]/i.test(start) || (/^<(?:\?xml|!--|!doctype svg)/i.test(start) && /<svg[\s>]/i.test(start))) {
    return 'an image (image/svg+xml)'
  }
  if (/^<(?:!doctype html|html|head|body|!--)/i.test(start)) return 'an HTML page'
  if (start.startsWith('<')) return 'markup'
  return /^(?:image|video|audio)\//.test(mediaType) ? `media (${mediaType})` : undefined
}

/** The first bytes by which the WHATWG MIME sniffing standard knows a type. */
const signatures: { is: string; at: number; magic: number[] }[] = [
  { is: 'an image (image/png)', at: 0, magic: [0x89, 0x50, 0x4e, 0x47] },
  { is: 'an image (image/jpeg)', at: 0, magic: [0xff, 0xd8, 0xff] },
  { is: 'an image (image/gif)', at: 0, magic: [0x47, 0x49, 0x46, 0x38] },
  { is: 'an image (image/webp)', at: 8, magic: [0x57, 0x45, 0x42, 0x50] },
  { is: 'an image (image/avif)', at: 4, magic: [0x66, 0x74, 0x79, 0x70, 0x61, 0x76, 0x69] },
  { is: 'a video (video/mp4)', at: 4, magic: [0x66, 0x74, 0x79, 0x70] },
  { is: 'a video (video/webm)', at: 0, magic: [0x1a, 0x45, 0xdf, 0xa3] },
  { is: 'audio (audio/mpeg)', at: 0, magic: [0x49, 0x44, 0x33] },
  { is: 'a 3D model (model/gltf-binary)', at: 0, magic: [0x67, 0x6c, 0x54, 0x46] },
  { is: 'a PDF document', at: 0, magic: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { is: 'a ZIP archive', at: 0, magic: [0x50, 0x4b, 0x03, 0x04] },
  { is: 'gzip inside the body', at: 0, magic: [0x1f, 0x8b] },
]
