import { isUtf8 } from 'node:buffer'

/**
 * The text of metadata bytes, without its byte order mark. The mark decides first, then a declared charset, then
 * UTF-8; bytes that are not UTF-8 at all are read as latin1 (windows-1252, as browsers do), which old servers send without
 * saying so. What cannot be decoded becomes U+FFFD, so the text holds no lone surrogates. Never throws.
 */
export function decodeDocument(bytes: Uint8Array, charset: string | null): string {
  const marked = byteOrderMark(bytes)
  if (marked) return withoutMark(new TextDecoder(marked).decode(bytes))
  const label = charset === 'us-ascii' || charset === 'ascii' ? 'utf-8' : (charset ?? 'utf-8')
  const decoder = decoderOf(label)
  if (decoder && decoder.encoding !== 'utf-8') return withoutMark(decoder.decode(bytes))
  const text = withoutMark(new TextDecoder().decode(bytes))
  // Metadata may hold U+FFFD itself.
  if (!text.includes('\ufffd') || isUtf8(bytes)) return text
  // Some valid sequences beside the broken ones: UTF-8 that was cut, not latin1.
  return /[^\0-\x7f\ufffd]/.test(text) ? text : new TextDecoder('windows-1252').decode(bytes)
}

function byteOrderMark(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

/** Undefined for a label that no standard knows. */
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
