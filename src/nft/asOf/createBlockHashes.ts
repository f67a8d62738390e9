import { UnavailableError } from '../../errors.ts'
import type { OpenChains } from '../../sync/openChains.ts'
import { createLru } from '../../util/createLru.ts'
import { type Hex, quantity } from '../../util/hex.ts'
import type { CollectionState } from '../query.ts'

/** Hashes of blocks that cannot be undone any more, from the nodes of their chains. */
export type BlockHashes = {
  /** `state`: of a collection of the chain. Throws UnavailableError where no node answers with the block. */
  read(state: Pick<CollectionState, 'epoch' | 'id'>, chainId: bigint, number: bigint): Promise<Hex>
}

/** So many are remembered: a page of a walk asks for the block of the page before. */
const mostKnown = 10_000

/** A request waits for a node no longer than this. */
const patienceMs = 10_000

export function createBlockHashes({ openChains }: { openChains: Pick<OpenChains, 'open'> }): BlockHashes {
  /** By collection, as all collections of a chain that is begun anew are others. */
  const known = createLru<string, Promise<Hex>>(mostKnown)

  async function ask(chainId: bigint, number: bigint): Promise<Hex> {
    const signal = AbortSignal.timeout(patienceMs)
    const what = `block ${number} of chain ${quantity(chainId)}`
    const headers = await openChains
      .open(chainId, signal)
      .then(({ source }) => source.headers(number, number, signal))
      .catch((cause: unknown) => {
        throw new UnavailableError(`no node tells the hash of ${what} at the moment; ask again`, { cause })
      })
    const [header] = headers
    if (!header) throw new UnavailableError(`no node has ${what} at the moment; ask again`)
    return header.hash
  }

  return {
    read({ epoch, id }, chainId, number) {
      const name = `${epoch}:${id}:${number}`
      const before = known.get(name)
      if (before) return before
      const hash = ask(chainId, number)
      known.set(name, hash)
      hash.catch(() => known.delete(name))
      return hash
    },
  }
}
