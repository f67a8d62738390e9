import { type EvmChain, maxHeadAgeOf } from '../chain/evm/chains.ts'
import type { ContractReader } from '../chain/evm/contract.ts'
import type { EvmSource } from '../chain/evm/source.ts'
import type { Database } from '../db/database.ts'
import { MintmarkError } from '../errors.ts'
import { unlessAborted } from '../util/wait.ts'
import { insertChain } from './chainStore.ts'

/** A chain with the nodes that serve it. */
export type OpenChain = { chain: EvmChain; source: EvmSource; contracts: ContractReader; close(): Promise<void> }

/** The node serves another chain than the one whose data is stored under this name. */
export class ChainIdentityError extends MintmarkError {
  readonly code = 'CHAIN_IDENTITY'
}

/** Opens chains on their first use and checks once that their nodes serve what is stored. */
export type OpenChains = {
  /** Ids of the chains that have a node. */
  ids: readonly bigint[]
  /** Throws ChainIdentityError, or what the node throws while it cannot be reached. */
  open(chainId: bigint, signal: AbortSignal): Promise<OpenChain>
  /** The node contradicted what is stored: it is checked again before the chain is used. */
  distrust(chainId: bigint): void
  close(): Promise<void>
}

export function createOpenChains(options: {
  chains: readonly EvmChain[]
  db: Database
  connect: (chain: EvmChain) => OpenChain
}): OpenChains {
  const { chains, db, connect } = options
  const opened = new Map<bigint, OpenChain>()
  const checked = new Map<bigint, Promise<void>>()
  const closing = new AbortController()
  const { signal } = closing

  async function check({ chain, source }: OpenChain): Promise<void> {
    const { chainId, genesisHash } = await source.identity(signal)
    if (chainId !== chain.id)
      throw new ChainIdentityError(
        `the node of ${chain.name} serves chain 0x${chainId.toString(16)}, not 0x${chain.id.toString(16)}`,
      )
    const { head, finalized } = await source.head(signal)
    const onRecord = await insertChain(db, chain.id, genesisHash, head.number, finalized, maxHeadAgeOf(chain))
    if (onRecord !== genesisHash)
      throw new ChainIdentityError(
        `the node of ${chain.name} has genesis ${genesisHash}, but what is stored came from genesis ${onRecord}: ` +
          'give the new chain a data folder or database of its own',
      )
  }

  return {
    ids: chains.filter((chain) => chain.rpc.length > 0).map((chain) => chain.id),
    async open(chainId, caller) {
      const chain = chains.find((c) => c.id === chainId)
      if (!chain) throw new ChainIdentityError(`chain 0x${chainId.toString(16)} is not among the configured ones`)
      let open = opened.get(chainId)
      if (!open) {
        open = connect(chain)
        opened.set(chainId, open)
      }
      let done = checked.get(chainId)
      if (!done) {
        done = check(open)
        checked.set(chainId, done)
        done.catch(() => checked.delete(chainId))
      }
      // One check serves all who wait for it, so none of them may end it; each may stop waiting.
      await unlessAborted(done, caller)
      return open
    },
    distrust: (chainId) => void checked.delete(chainId),
    async close() {
      closing.abort()
      await Promise.all([...opened.values()].map((open) => open.close()))
    },
  }
}
