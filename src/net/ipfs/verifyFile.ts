import { encode, prepare } from '@ipld/dag-pb'
import { UnixFS, type UnixFSType } from 'ipfs-unixfs'
import { CID } from 'multiformats/cid'
import { create } from 'multiformats/hashes/digest'
import { codes, isBlockOf, sha256 } from './digest.ts'

/** `unknown`: the CID may stand for these bytes in an untried layout. */
export type Verdict = 'match' | 'mismatch' | 'unknown'

type Leaf = 'raw' | 'file' | 'raw-in-node'

/** Chunk sizes: kubo's default for years, then that of its profile of 2025 and of many pinning services. */
const chunkSizes = [262_144, 1_048_576] as const

/**
 * Whether a whole file matches its CID. A raw CID is the hash of the file. A dag-pb CID is the hash of a tree over the file, which is rebuilt here in
 * the layouts of kubo and the pinning services. These are one node around a small file, or one node over chunks of 256 kB or 1 MB, with raw or
 * wrapped leaves. That takes a few hashes and no request. Files larger than one node of 174 links are `unknown`.
 */
export function verifyFile(cid: CID, body: Uint8Array): Verdict {
  if (cid.code === codes.raw) {
    const same = isBlockOf(cid, body)
    return same === undefined ? 'unknown' : same ? 'match' : 'mismatch'
  }
  if (cid.code !== codes.dagPb || cid.multihash.code !== codes.sha256) return 'unknown'
  const leaves: Leaf[] = cid.version === 0 ? ['file', 'raw', 'raw-in-node'] : ['raw', 'file', 'raw-in-node']
  for (const size of chunkSizes) {
    if (body.length <= size) {
      if (isBlockOf(cid, node('file', body)) || isBlockOf(cid, node('raw', body))) return 'match'
      // A larger chunk results in the same single node.
      break
    }
    for (const leaf of leaves) if (isBlockOf(cid, tree(body, size, leaf, cid.version))) return 'match'
  }
  return 'unknown'
}

function node(type: UnixFSType, data: Uint8Array): Uint8Array {
  return encode(prepare({ Data: new UnixFS({ type, data }).marshal(), Links: [] }))
}

const maxLinks = 174

function tree(body: Uint8Array, size: number, leaf: Leaf, version: 0 | 1): Uint8Array {
  const root = new UnixFS({ type: 'file' })
  const links: { Name: string; Tsize: number; Hash: CID }[] = []
  for (let at = 0; at < body.length && links.length < maxLinks; at += size) {
    const chunk = body.subarray(at, at + size)
    const block = leaf === 'raw' ? chunk : node(leaf === 'file' ? 'file' : 'raw', chunk)
    const hash = create(codes.sha256, sha256(block))
    const link = leaf === 'raw' ? CID.createV1(codes.raw, hash) : CID.create(version, codes.dagPb, hash)
    links.push({ Name: '', Tsize: block.length, Hash: link })
    root.addBlockSize(BigInt(chunk.length))
  }
  return encode({ Data: root.marshal(), Links: links })
}
