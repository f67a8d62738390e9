const percent = 0x25

/**
 * Bytes of a text with `%XX` decoded, by the URL standard: a `%` without two hex digits is literal (`100% real`). Characters outside ASCII are UTF-8.
 * Never throws.
 */
export function percentDecode(text: string): Uint8Array {
  const bytes = Buffer.from(text.toWellFormed(), 'utf8')
  if (!text.includes('%')) return bytes
  let end = 0
  for (let i = 0; i < bytes.length; i++) {
    const high = bytes[i] === percent ? digit(bytes[i + 1]) : -1
    const low = high < 0 ? -1 : digit(bytes[i + 2])
    if (low < 0) bytes[end++] = bytes[i]!
    else {
      bytes[end++] = high * 16 + low
      i += 2
    }
  }
  return bytes.subarray(0, end)
}

function digit(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
