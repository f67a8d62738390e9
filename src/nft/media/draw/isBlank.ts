export type RawPixels = { data: Buffer; info: { width: number; height: number; channels: number } }

/** Whether nothing can be seen: every pixel is transparent. */
export function isTransparent({ data, info: { channels } }: RawPixels): boolean {
  if (channels !== 2 && channels !== 4) return false
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 0) return false
  return true
}

/** Whether all pixels are one colour, but for those at the rim, which a surface may cover in part. */
export function isPlain({ data, info: { width, height, channels } }: RawPixels): boolean {
  const rim = Math.min(width, height) > 2 ? 1 : 0
  const first = data.subarray((rim * width + rim) * channels, (rim * width + rim + 1) * channels)
  for (let y = rim; y < height - rim; y++)
    for (let x = rim; x < width - rim; x++) {
      const at = (y * width + x) * channels
      for (let i = 0; i < channels; i++) if (data[at + i] !== first[i]) return false
    }
  return true
}
