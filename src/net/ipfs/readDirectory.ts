import type { CID } from 'multiformats/cid'
import type { LoadBlock } from './readCar.ts'
import { maxNodes, readNode } from './readNode.ts'

/** What a directory holds: CIDs in text by name. */
export type Directory = ReadonlyMap<string, string>

/** Every entry of a directory, of one block or sharded, or undefined if a block is missing, wrong, or no directory. */
export function readDirectory(root: CID, load: LoadBlock): Directory | undefined {
  const entries = new Map<string, string>()
  const waiting: CID[] = [root]
  for (let visited = 0; waiting.length > 0; visited++) {
    const node = visited < maxNodes ? readNode(waiting.pop()!, load) : undefined
    if (!node) return undefined
    const { type, fanout } = node.unixfs
    const sharded = type === 'hamt-sharded-directory'
    if (!sharded && (type !== 'directory' || visited > 0)) return undefined
    // Names in a shard begin with the number of their place in hex; a name that is nothing else links a shard below.
    const prefix = sharded ? (Number(fanout ?? 256n) - 1).toString(16).length : 0
    for (const { Name = '', Hash } of node.links) {
      const name = Name.slice(prefix)
      if (sharded && name === '') waiting.push(Hash)
      else entries.set(name, Hash.toString())
    }
  }
  return entries
}
