import { CarBufferReader } from '@ipld/car/buffer-reader'
import type { CID } from 'multiformats/cid'
import { isBlockOf } from './digest.ts'

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
