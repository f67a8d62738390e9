import type { CID } from 'multiformats/cid'
import type { LoadBlock } from './readCar.ts'
import { maxNodes, readNode } from './readNode.ts'

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
