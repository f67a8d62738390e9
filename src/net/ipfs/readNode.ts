import { decode, type PBLink } from '@ipld/dag-pb'
import { UnixFS } from 'ipfs-unixfs'
import type { CID } from 'multiformats/cid'
import { codes } from './digest.ts'
import type { LoadBlock } from './readCar.ts'

export type UnixFsNode = { unixfs: UnixFS; links: PBLink[] }

/** Most visited nodes of one tree: a few blocks that are linked many times can form a tree of any size. */
export const maxNodes = 20_000

/** A dag-pb node with its UnixFS part; undefined if the block is missing, wrong or something else. */
export function readNode(cid: CID, load: LoadBlock): UnixFsNode | undefined {
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
