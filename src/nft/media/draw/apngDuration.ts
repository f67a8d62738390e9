/**
 * Duration of one loop of an animated PNG, in seconds; null without a second frame. A frame's delay is a fraction; a denominator of 0 means
 * hundredths (PNG, third edition, fcTL).
 */
export function apngDuration(bytes: Buffer): number | null {
  let frames = 0
  let seconds = 0
  for (let at = signatureBytes; at + chunkBytes <= bytes.length; at += chunkBytes + bytes.readUInt32BE(at)) {
    if (bytes.toString('latin1', at + 4, at + 8) !== 'fcTL' || at + 32 > bytes.length) continue
    frames += 1
    seconds += bytes.readUInt16BE(at + 28) / (bytes.readUInt16BE(at + 30) || 100)
  }
  return frames > 1 ? Math.round(seconds * 1_000) / 1_000 : null
}

const signatureBytes = 8

/** Length, type and checksum around a chunk's data. */
const chunkBytes = 12
