/**
 * The same bytes in memory of their own, to be kept: Node puts short buffers, and what zlib makes, into blocks of 64 kB that they share
 * with others (`Buffer.poolSize`), and one buffer that is kept holds its whole block. Long ones have their own memory, and stay.
 */
export function ownMemory(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}
