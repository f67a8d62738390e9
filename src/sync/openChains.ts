import type { EvmChain } from '../chain/evm/chains.ts'
import type { ContractReader } from '../chain/evm/contracts/contract.ts'
import type { EndpointState } from '../chain/evm/rpc/endpointState.ts'
import type { Mark } from '../chain/evm/rpc/rpc.ts'
import { RpcError } from '../chain/evm/rpc/rpcError.ts'
import type { EvmSource } from '../chain/evm/source/source.ts'
import type { Database } from '../db/database.ts'
import { commandWord } from '../util/commandWord.ts'
import { MintmarkError } from '../util/errors.ts'
import { quantity } from '../util/hex.ts'
import { unlessAborted } from '../util/wait.ts'
import { addMarks, createGenesisCheck, readMarks } from './chainMarks.ts'
import { insertChain, readChain } from './chainStore.ts'
import { maxHeadAgeOf } from './headAge.ts'

/** A chain with its node clients. */
export type OpenChain = {
  chain: EvmChain
  source: EvmSource
  contracts: ContractReader
  /** Makes every node be checked for these blocks before its next answer counts. */
  expect?(marks: readonly Mark[]): void
  /** Health and calls of its nodes in this process. */
  endpoints?(): EndpointState[]
  close(): Promise<void>
}

/** The nodes serve another chain than the stored one of this name. */
export class ChainIdentityError extends MintmarkError {
  readonly code = 'CHAIN_IDENTITY'

  /** `difference`: how the node's chain differs. */
  static of(chain: EvmChain, difference: string, options: { cause?: unknown } = {}): ChainIdentityError {
    return new ChainIdentityError(
      `the node of ${chain.name} ${difference}. No data is changed. If the chain was recreated, "mintmark chains reset ${commandWord(chain.name)}" ` +
        'removes all data of the former chain and starts again. Otherwise reading continues once a node serves the right chain',
      options,
    )
  }
}

/** Opens chains on first use and checks that their nodes serve the stored chain. */
export type OpenChains = {
  /** Ids of chains with a node. */
  ids: readonly bigint[]
  /** Opens a chain. After a reset it returns another object. Throws ChainIdentityError, and the nodes' errors. */
  open(chainId: bigint, signal: AbortSignal): Promise<OpenChain>
  /** Makes the chain's nodes be checked again before the next use, as one disagreed with the stored data. */
  distrust(chainId: bigint): void
  /** Health and calls of a chain's nodes in this process; undefined: not connected yet. Queries no node. */
  endpoints(chainId: bigint): EndpointState[] | undefined
  close(): Promise<void>
}

/** A chain with the generation of the row that it was checked against; undefined: not checked yet. */
type Opened = { open: OpenChain; generation: bigint | undefined; checking: Promise<void> | undefined }

export function createOpenChains(options: {
  chains: readonly EvmChain[]
  db: Database
  connect: (chain: EvmChain) => OpenChain
}): OpenChains {
  const { chains, db, connect } = options
  const opened = new Map<bigint, Opened>()
  /** Chains opened before a reset. Running work may still read from them, so they are closed at the end. */
  const retired: OpenChain[] = []
  const closing = new AbortController()
  const { signal } = closing
  const confirmGenesis = createGenesisCheck()

  const identityOf = ({ chain, source }: Pick<OpenChain, 'chain' | 'source'>) =>
    source.identity(signal).catch((error: unknown) => {
      if (error instanceof RpcError && error.class === 'wrong_chain')
        throw ChainIdentityError.of(chain, error.detail, { cause: error })
      throw error
    })

  async function check({ chain, source, expect }: OpenChain): Promise<bigint | undefined> {
    const known = await readChain(db, chain.id)
    const marks = known ? await readMarks(db, chain.id, known) : []
    expect?.(marks)
    const { chainId, genesisHash } = await identityOf({ chain, source })
    if (chainId !== chain.id)
      throw ChainIdentityError.of(chain, `serves chain ${quantity(chainId)}, not ${quantity(chain.id)}`)
    // The nodes are the right ones now. Earlier, one of them may have returned another chain's head, which is dropped.
    source.forget?.()
    const [{ head, finalized }] = known
      ? [{ head: { number: 0n }, finalized: known.finalized }]
      : await Promise.all([source.head(signal), confirmGenesis(chain.id, genesisHash, { source, signal })])
    // On a cluster the row is on every node, and cannot be written while one is unreachable.
    const isKnown = known?.maxHeadAgeMs === maxHeadAgeOf(chain)
    const onRecord = isKnown
      ? known.genesisHash
      : await insertChain(db, chain.id, genesisHash, head.number, finalized, maxHeadAgeOf(chain))
    if (onRecord !== genesisHash)
      throw ChainIdentityError.of(chain, `serves another chain: its block 0 is ${genesisHash}, not ${onRecord}`)
    const row = await readChain(db, chain.id)
    if (!row) return undefined
    const all = known ? marks : await readMarks(db, chain.id, row)
    const added = await addMarks(db, chain.id, { known: all, finalized, source, signal })
    if (added.length > 0) {
      expect?.([...all, ...added])
      // The node is checked for these now, so that the first request does not wait for it.
      await identityOf({ chain, source })
    }
    return row.generation
  }

  /** The chain's entry, reconnected if it was checked against another row. */
  function entryOf(chain: EvmChain, generation: bigint | undefined): Opened {
    const known = opened.get(chain.id)
    if (known && (known.generation === undefined || known.generation === generation)) return known
    if (known) retired.push(known.open)
    const entry: Opened = { open: connect(chain), generation: undefined, checking: undefined }
    opened.set(chain.id, entry)
    return entry
  }

  return {
    ids: chains.filter((chain) => chain.rpc.length > 0).map((chain) => chain.id),
    async open(chainId, caller) {
      const chain = chains.find((c) => c.id === chainId)
      if (!chain) throw new ChainIdentityError(`chain ${quantity(chainId)} is not among the configured ones`)
      const entry = entryOf(chain, (await readChain(db, chainId))?.generation)
      if (!entry.checking) {
        const checking = check(entry.open).then((generation) => {
          entry.generation = generation
        })
        entry.checking = checking
        checking.catch(() => {
          if (entry.checking === checking) entry.checking = undefined
        })
      }
      // One check serves all waiting callers, so a caller's signal ends only its own wait.
      await unlessAborted(entry.checking, caller)
      return entry.open
    },
    distrust(chainId) {
      const entry = opened.get(chainId)
      if (entry) entry.checking = undefined
    },
    endpoints: (chainId) => opened.get(chainId)?.open.endpoints?.(),
    async close() {
      closing.abort()
      await Promise.all([...[...opened.values()].map(({ open }) => open), ...retired].map((open) => open.close()))
    },
  }
}
