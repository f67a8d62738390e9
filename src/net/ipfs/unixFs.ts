import { CarBufferReader } from '@ipld/car/buffer-reader'
import { decode, type PBLink } from '@ipld/dag-pb'
import { UnixFS } from 'ipfs-unixfs'
import type { CID } from 'multiformats/cid'
import { codes, isBlockOf } from './digest.ts'

/** The bytes of a block, checked against its CID; undefined if they are missing or wrong. */
export type LoadBlock = (cid: CID) => Uint8Array | undefined

/** The blocks of a CAR (https://ipld.io/specs/transport/car/carv1/); undefined if the bytes are not a CAR. */
export function readCar(bytes: Uint8Array): LoadBlock | undefined {
  let blocks: Map<string, Uint8Array>
  try {
    blocks = new Map(
      CarBufferReader.fromBytes(bytes)
        .blocks()
        .map((block) => [block.cid.toString(), block.bytes]),
    )
  } catch {
    // The library throws plain errors for everything that is not a CAR, such as a gateway's HTML page.
    return undefined
  }
  return (cid) => {
    const found = blocks.get(cid.toString())
    return found && isBlockOf(cid, found) ? found : undefined
  }
}

type UnixFsNode = { unixfs: UnixFS; links: PBLink[] }

/** Most visited nodes of one tree: a few blocks that are linked many times can form a tree of any size. */
const maxNodes = 20_000

/** A dag-pb node with its UnixFS part; undefined if the block is missing, wrong or something else. */
function readNode(cid: CID, load: LoadBlock): UnixFsNode | undefined {
  const bytes = cid.code === codes.dagPb ? load(cid) : undefined
  if (!bytes) return undefined
  try {
    const { Data, Links } = decode(bytes)
    return Data ? { unixfs: UnixFS.unmarshal(Data), links: Links } : undefined
  } catch {
    // Both libraries throw plain errors for bytes in another format.
    return undefined
  }
}

/** The entries of a directory: CIDs as text by name. */
export type Directory = ReadonlyMap<string, string>

/** Every entry of a directory, of one block or sharded; undefined if a block is missing, wrong, or not a directory. */
export function readDirectory(root: CID, load: LoadBlock): Directory | undefined {
  const entries = new Map<string, string>()
  const waiting: CID[] = [root]
  for (let visited = 0; waiting.length > 0; visited++) {
    const node = visited < maxNodes ? readNode(waiting.pop()!, load) : undefined
    if (!node) return undefined
    const { type, fanout } = node.unixfs
    const sharded = type === 'hamt-sharded-directory'
    if (!sharded && (type !== 'directory' || visited > 0)) return undefined
    // Names in a shard begin with their index in hex; a name without a further part links to a subshard.
    const prefix = sharded ? (Number(fanout ?? 256n) - 1).toString(16).length : 0
    for (const { Name = '', Hash } of node.links) {
      const name = Name.slice(prefix)
      if (sharded && name === '') waiting.push(Hash)
      else entries.set(name, Hash.toString())
    }
  }
  return entries
}

/** A whole file from its blocks; undefined if one is missing or wrong, it is not a file, or it exceeds `maxBytes`. */
export function readFile(root: CID, load: LoadBlock, maxBytes: number): Buffer | undefined {
  const parts: Uint8Array[] = []
  let size = 0
  // A stack, so that parts come in the order of the file.
  const waiting: CID[] = [root]
  for (let visited = 0; waiting.length > 0; visited++) {
    const cid = waiting.pop()!
    if (visited >= maxNodes) return undefined
    const part = cid.code === codes.raw ? { data: load(cid), links: [] } : fileNode(cid, load)
    if (!part?.data) return undefined
    size += part.data.length
    if (size > maxBytes) return undefined
    parts.push(part.data)
    for (const link of part.links.toReversed()) waiting.push(link)
  }
  return Buffer.concat(parts, size)
}

const nothing = new Uint8Array()

function fileNode(cid: CID, load: LoadBlock): { data: Uint8Array; links: CID[] } | undefined {
  const node = readNode(cid, load)
  if (!node || (node.unixfs.type !== 'file' && node.unixfs.type !== 'raw')) return undefined
  return { data: node.unixfs.data ?? nothing, links: node.links.map(({ Hash }) => Hash) }
}
