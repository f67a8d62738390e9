/** libvips takes for SVG only what has `<svg` among its first 1,000 bytes. */
const seenBytes = 1_000

/**
 * An SVG whose root stands late (behind a DOCTYPE with entities, as drawing programs write them) or has a prefix, with a
 * comment in front that libvips recognises.
 */
export function markSvg(bytes: Buffer): Buffer {
  const head = bytes.subarray(0, seenBytes).toString('latin1')
  if (head.includes('<svg')) return bytes
  // Nothing may stand before an XML declaration, which has to be the first thing after the mark of the byte order.
  const [start] = /^(?:\xef\xbb\xbf)?\s*(?:<\?xml\s[^>]*\?>)?/.exec(head) ?? ['']
  return Buffer.concat([bytes.subarray(0, start.length), Buffer.from('<!--<svg -->'), bytes.subarray(start.length)])
}
