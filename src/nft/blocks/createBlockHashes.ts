import type { OpenChains } from '../../sync/openChains.ts'
import { createLru } from '../../util/createLru.ts'
import type { Hex } from '../../util/hex.ts'
import type { CollectionState } from '../query.ts'
import { askNode } from './askNode.ts'

/** Hashes of blocks that cannot be undone any more, from the nodes of their chains. */
export type BlockHashes = {
  /** `state`: of a collection of the chain. Throws UnavailableError if no node answers with the block. */
  read(state: Pick<CollectionState, 'epoch' | 'id'>, chainId: bigint, number: bigint): Promise<Hex>
}

/** So many are remembered: a page of a walk requests the block of the page before. */
const mostKnown = 10_000

export function createBlockHashes({ openChains }: { openChains: Pick<OpenChains, 'open'> }): BlockHashes {
  /** By collection, as all collections of a chain that is restarted are others. */
  const known = createLru<string, Promise<Hex>>(mostKnown)

  /** The head is read before, as the block is checked against the last final one. */
  const ask = (chainId: bigint, number: bigint) =>
    askNode(openChains, chainId, `the hash of block ${number}`, async (source, signal) => {
      const { finalized } = await source.head(signal)
      const [header] = await source.headers(number, number, signal)
      if (!header) throw new Error(`there is no block ${number}`)
      return { hash: header.hash, isFinal: number <= finalized }
    })

  return {
    read({ epoch, id }, chainId, number) {
      const name = `${epoch}:${id}:${number}`
      const before = known.get(name)
      if (before) return before
      const asked = ask(chainId, number)
      const hash = asked.then((block) => block.hash)
      known.set(name, hash)
      asked.then(
        ({ isFinal }) => isFinal || known.delete(name),
        () => known.delete(name),
      )
      return hash
    },
  }
}
