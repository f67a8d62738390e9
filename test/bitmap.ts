/** A BMP of one colour with `bits` per pixel. Up to 8 bits are an index into a palette. A negative height stores the rows top-down. */
export function plainBitmap(options: {
  bits: 1 | 4 | 8 | 16 | 24 | 32
  width?: number
  height?: number
  colour: { r: number; g: number; b: number }
}): Buffer {
  const { bits, width = 5, height = 3, colour } = options
  const { r, g, b } = colour
  const colours = bits <= 8 ? 2 : 0
  const start = 54 + colours * 4
  const rowBytes = Math.ceil((width * bits) / 32) * 4
  const bytes = Buffer.alloc(start + rowBytes * Math.abs(height))
  bytes.write('BM', 'latin1')
  bytes.writeUInt32LE(bytes.length, 2)
  bytes.writeUInt32LE(start, 10)
  bytes.writeUInt32LE(40, 14)
  bytes.writeInt32LE(width, 18)
  bytes.writeInt32LE(height, 22)
  bytes.writeUInt16LE(1, 26)
  bytes.writeUInt16LE(bits, 28)
  bytes.writeUInt32LE(colours, 46)
  // The second colour of the palette; every pixel is its index.
  if (colours > 0) bytes.set([b, g, r, 0], 58)
  const index: Readonly<Record<number, number>> = { 1: 0xff, 4: 0x11, 8: 0x01 }
  for (let at = start; at < bytes.length; at += rowBytes)
    if (bits <= 8) bytes.fill(index[bits]!, at, at + rowBytes)
    else
      for (let x = 0; x < width; x++)
        if (bits === 16) bytes.writeUInt16LE(((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3), at + x * 2)
        else bytes.set([b, g, r], at + x * (bits / 8))
  return bytes
}
