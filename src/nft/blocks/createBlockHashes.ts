import type { OpenChains } from '../../sync/openChains.ts'
import { createLru } from '../../util/createLru.ts'
import type { Hex } from '../../util/hex.ts'
import type { CollectionState } from '../query.ts'
import { requestFromNode } from './requestFromNode.ts'

/** Hashes of final blocks, from nodes. A second answer confirms each. */
export type BlockHashes = {
  /** `state`: of a collection of the chain. Throws UnavailableError if no node returns the block. */
  read(state: Pick<CollectionState, 'epoch' | 'id'>, chainId: bigint, number: bigint): Promise<Hex>
}

/** Cache size: each page requests the block of the previous page. */
const mostKnown = 10_000
/** A wrong hash that a lone node confirmed is not returned longer. */
const keptMs = 600_000

export function createBlockHashes({ openChains }: { openChains: Pick<OpenChains, 'open'> }): BlockHashes {
  /** By collection, as a restarted chain has new collections. */
  const known = createLru<string, Promise<Hex>>(mostKnown, { ttl: keptMs })

  /** Reads the head first, as the block is checked against the finalized one. */
  const request = (chainId: bigint, number: bigint) =>
    requestFromNode(openChains, chainId, `the hash of block ${number}`, async (source, signal) => {
      const { finalized } = await source.head(signal)
      const [header] = await source.headers(number, number, signal)
      if (!header) throw new Error(`there is no block ${number}`)
      const isFinal = number <= finalized
      if (isFinal) await source.confirm(header, signal)
      return { hash: header.hash, isFinal }
    })

  return {
    read({ epoch, id }, chainId, number) {
      const name = `${epoch}:${id}:${number}`
      const before = known.get(name)
      if (before) return before
      const requested = request(chainId, number)
      const hash = requested.then((block) => block.hash)
      known.set(name, hash)
      requested.then(
        ({ isFinal }) => isFinal || known.delete(name),
        () => known.delete(name),
      )
      return hash
    },
  }
}
