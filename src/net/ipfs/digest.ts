import { createHash } from 'node:crypto'
import type { CID } from 'multiformats/cid'

/** Multicodec numbers (https://github.com/multiformats/multicodec). */
export const codes = { raw: 0x55, dagPb: 0x70, identity: 0x00, sha256: 0x12 } as const

export function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest()
}

/** Whether bytes are a CID's block; undefined if the CID uses another hash than SHA-256 and identity. */
export function isBlockOf(cid: CID, bytes: Uint8Array): boolean | undefined {
  const { code, digest } = cid.multihash
  if (code === codes.identity) return Buffer.compare(digest, bytes) === 0
  if (code !== codes.sha256) return undefined
  return Buffer.compare(digest, sha256(bytes)) === 0
}
