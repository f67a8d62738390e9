import { createHash } from 'node:crypto'
import * as CarBufferWriter from '@ipld/car/buffer-writer'
import { encode, prepare } from '@ipld/dag-pb'
import { UnixFS } from 'ipfs-unixfs'
import { CID } from 'multiformats/cid'
import { create } from 'multiformats/hashes/digest'

export type Block = { cid: CID; bytes: Uint8Array }

const hashOf = (bytes: Uint8Array) => create(0x12, createHash('sha256').update(bytes).digest())

export function rawBlock(bytes: Uint8Array): Block {
  return { cid: CID.createV1(0x55, hashOf(bytes)), bytes }
}

export function nodeBlock(unixfs: UnixFS, links: { Name: string; Hash: CID }[] = []): Block {
  const bytes = encode(prepare({ Data: unixfs.marshal(), Links: links.map((link) => ({ ...link, Tsize: 1 })) }))
  return { cid: CID.createV0(hashOf(bytes)), bytes }
}

/** A file in one node, as kubo adds it by default. */
export function fileBlock(text: string | Uint8Array): Block {
  return nodeBlock(new UnixFS({ type: 'file', data: Buffer.from(text) }))
}

/** A file whose leaves have an unusual size. */
export function oddFile(body: Buffer, size = 1_000): Block[] {
  const root = new UnixFS({ type: 'file' })
  const leaves: Block[] = []
  for (let at = 0; at < body.length; at += size) {
    leaves.push(rawBlock(body.subarray(at, at + size)))
    root.addBlockSize(BigInt(leaves.at(-1)!.bytes.length))
  }
  return [
    nodeBlock(
      root,
      leaves.map(({ cid }) => ({ Name: '', Hash: cid })),
    ),
    ...leaves,
  ]
}

export function directoryBlock(entries: Record<string, CID>): Block {
  const links = Object.entries(entries).map(([Name, Hash]) => ({ Name, Hash }))
  return nodeBlock(new UnixFS({ type: 'directory' }), links)
}

/** A sharded directory. Each name begins with the two hex digits of its slot. A name of only these digits links to a child shard. */
export function shardBlock(entries: Record<string, CID>): Block {
  const links = Object.entries(entries).map(([Name, Hash]) => ({ Name, Hash }))
  return nodeBlock(new UnixFS({ type: 'hamt-sharded-directory', fanout: 256n, hashType: 0x22n }), links)
}

/** The blocks as a CAR. The first block is its root. */
export function carOf(blocks: readonly Block[]): Buffer {
  const roots = [blocks[0]!.cid]
  const size = blocks.reduce((sum, block) => sum + CarBufferWriter.blockLength(block), 1_000)
  const writer = CarBufferWriter.createWriter(new ArrayBuffer(size), { roots })
  for (const block of blocks) writer.write(block)
  return Buffer.from(writer.close({ resize: true }))
}
