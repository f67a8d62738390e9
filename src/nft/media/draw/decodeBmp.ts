export type BmpPixels = { data: Buffer; width: number; height: number; channels: 4 }

/** Size of the file header, before the bitmap header. */
const fileHeader = 14

/**
 * The pixels of a bitmap in the forms that contracts use: 1, 4, 8, 16, 24 or 32 bits per pixel, with or without masks, uncompressed. Undefined for
 * other files, truncated ones and those with more than `maxPixels`. https://learn.microsoft.com/windows/win32/gdi/bitmap-storage
 */
export function decodeBmp(bytes: Buffer, maxPixels: number): BmpPixels | undefined {
  if (bytes.length < fileHeader + 12 || bytes.toString('latin1', 0, 2) !== 'BM') return undefined
  const headerLength = bytes.readUInt32LE(fileHeader)
  const isCore = headerLength === 12
  if ((!isCore && headerLength < 40) || bytes.length < fileHeader + headerLength) return undefined
  const width = isCore ? bytes.readUInt16LE(18) : bytes.readInt32LE(18)
  const signedHeight = isCore ? bytes.readInt16LE(20) : bytes.readInt32LE(22)
  const bits = bytes.readUInt16LE(isCore ? 24 : 28)
  const packing = isCore ? 0 : bytes.readUInt32LE(30)
  const height = Math.abs(signedHeight)
  if (width <= 0 || height === 0 || width * height > maxPixels) return undefined
  const read =
    packing === 0 || packing === 3 ? readerOf(bytes, { headerLength, bits, hasMasks: packing === 3 }) : undefined
  const start = bytes.readUInt32LE(10)
  const rowBytes = Math.ceil((width * bits) / 32) * 4
  // The last row may lack its padding.
  if (!read || start + rowBytes * (height - 1) + Math.ceil((width * bits) / 8) > bytes.length) return undefined

  const data = Buffer.alloc(width * height * 4)
  for (let y = 0; y < height; y++) {
    const row = start + rowBytes * (signedHeight > 0 ? height - 1 - y : y)
    for (let x = 0; x < width; x++) data.writeUInt32BE(read(row, x), (y * width + x) * 4)
  }
  // Most writers leave the fourth byte zero everywhere, which does not mean transparency.
  const opaque = data.every((value, i) => i % 4 !== 3 || value === 0)
  if (opaque) for (let i = 3; i < data.length; i += 4) data[i] = 255
  return { data, width, height, channels: 4 }
}

/** Reads pixel `x` of the row that begins at byte `row`, as 0xRRGGBBAA. */
type ReadPixel = (row: number, x: number) => number

function readerOf(
  bytes: Buffer,
  { headerLength, bits, hasMasks }: { headerLength: number; bits: number; hasMasks: boolean },
): ReadPixel | undefined {
  if (bits === 1 || bits === 4 || bits === 8) {
    const palette = fileHeader + headerLength
    const width = headerLength === 12 ? 3 : 4
    return (row, x) => {
      const byte = bytes[row + ((x * bits) >> 3)]!
      const index = (byte >> (8 - bits - ((x * bits) & 7))) & ((1 << bits) - 1)
      const at = palette + index * width
      return rgba(bytes[at + 2] ?? 0, bytes[at + 1] ?? 0, bytes[at] ?? 0, 255)
    }
  }
  if (bits === 24) return (row, x) => rgba(bytes[row + x * 3 + 2]!, bytes[row + x * 3 + 1]!, bytes[row + x * 3]!, 255)
  if (bits !== 16 && bits !== 32) return undefined
  const masks = hasMasks ? masksOf(bytes, headerLength) : bits === 16 ? [0x7c00, 0x3e0, 0x1f, 0] : usual
  if (!masks) return undefined
  const [red, green, blue, alpha] = masks.map(channelOf) as [Channel, Channel, Channel, Channel]
  return (row, x) => {
    const value = bits === 16 ? bytes.readUInt16LE(row + x * 2) : bytes.readUInt32LE(row + x * 4)
    return rgba(red(value), green(value), blue(value), alpha(value))
  }
}

const usual = [0xff0000, 0xff00, 0xff, 0xff000000]

function masksOf(bytes: Buffer, headerLength: number): number[] | undefined {
  const at = fileHeader + 40
  // Three masks follow the shortest header; longer ones contain four.
  const count = headerLength >= 56 ? 4 : 3
  if (bytes.length < at + count * 4) return undefined
  return [0, 1, 2, 3].map((i) => (i < count ? bytes.readUInt32LE(at + i * 4) : 0))
}

type Channel = (value: number) => number

/** Scales the bits of a mask to 0 to 255; an empty mask gives 0. */
function channelOf(mask: number): Channel {
  if (mask === 0) return () => 0
  const shift = 31 - Math.clz32(mask & -mask)
  const most = mask >>> shift
  return (value) => Math.round((((value & mask) >>> shift) / most) * 255)
}

function rgba(r: number, g: number, b: number, a: number): number {
  return ((r << 24) | (g << 16) | (b << 8) | a) >>> 0
}
