import { isUtf8 } from 'node:buffer'

/**
 * Decodes metadata bytes, without a byte order mark. The mark decides first, then a declared charset, then UTF-8. Bytes that are not UTF-8 are read
 * as windows-1252, as browsers do, for old servers without a charset. Invalid sequences become U+FFFD, so there are no lone surrogates. Never throws.
 */
export function decodeMetadata(bytes: Uint8Array, charset: string | null): string {
  const marked = byteOrderMark(bytes)
  if (marked) return withoutMark(new TextDecoder(marked).decode(bytes))
  const label = charset === 'us-ascii' || charset === 'ascii' ? 'utf-8' : (charset ?? 'utf-8')
  const decoder = decoderOf(label)
  if (decoder && decoder.encoding !== 'utf-8') return withoutMark(decoder.decode(bytes))
  const text = withoutMark(new TextDecoder().decode(bytes))
  // Metadata may itself contain U+FFFD.
  if (!text.includes('\ufffd') || isUtf8(bytes)) return text
  // Valid sequences beside invalid ones: truncated UTF-8, not latin1.
  return /[^\0-\x7f\ufffd]/.test(text) ? text : new TextDecoder('windows-1252').decode(bytes)
}

function byteOrderMark(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

/** Undefined for an unknown label. */
function decoderOf(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.replace(/^\ufeff+/, '') : text
}
