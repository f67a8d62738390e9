import type { CID } from 'multiformats/cid'
import { codes } from './digest.ts'
import type { LoadBlock } from './readCar.ts'
import { maxNodes, readNode } from './readNode.ts'

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
