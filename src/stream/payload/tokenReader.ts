import type { LRUCache } from 'lru-cache'
import type { ContractReader } from '../../chain/evm/contracts/contract.ts'
import { type UnindexedMeaning, unindexedMeaning } from '../../chain/evm/contracts/unindexedMeaning.ts'
import { createLru } from '../../util/createLru.ts'
import type { Address } from '../../util/hex.ts'
import { mapAtOnce } from '../../util/mapAtOnce.ts'

/** What a token's contract says of itself, as webhooks have it: '' where it says nothing. */
export type Token = {
  name: string
  symbol: string
  /** null: no decimals, so no ERC-20. */
  decimals: number | null
  standard: 'ERC721' | 'ERC1155' | undefined
  /** What its Transfers and Approvals name that do not index it. */
  unindexed: UnindexedMeaning
}

export type TokenReader = {
  /**
   * What the contracts say, each read once and remembered; with each what its logs name without indexing it. Throws what the
   * node throws while it cannot be asked. Once the signal aborts no further contract is asked; those under way go on, for
   * whoever asks next.
   */
  read(contracts: ReadonlyMap<Address, readonly bigint[]>, signal?: AbortSignal): Promise<ReadonlyMap<Address, Token>>
}

/** Tokens remembered: some 300 bytes each. */
const maxRemembered = 50_000
/** A contract that has no code yet at the node's head may have it a moment later, and one without tokens may have some. */
const unsureMs = 30_000
const readsAtOnce = 8

export function createTokenReader({
  contracts,
}: {
  contracts: Pick<ContractReader, 'identify' | 'hasToken'>
}): TokenReader {
  const known = createLru<Address, Promise<Omit<Token, 'unindexed'> & { unindexed: UnindexedMeaning | undefined }>>(
    maxRemembered,
  )
  /** Of the contracts whose identity does not tell: whether they have tokens. */
  const asked = createLru<Address, Promise<boolean>>(maxRemembered)

  async function identify(address: Address) {
    const identity = await contracts.identify(address)
    const { hasCode, name, symbol, decimals, standard } = identity
    if (!hasCode) known.set(address, known.peek(address)!, { ttl: unsureMs })
    const unindexed = unindexedMeaning(identity)
    return { name: name ?? '', symbol: symbol ?? '', decimals: decimals ?? null, standard, unindexed }
  }

  async function askFor(address: Address, named: readonly bigint[]): Promise<boolean> {
    const found = await contracts.hasToken(address, named)
    if (!found) asked.set(address, asked.peek(address)!, { ttl: unsureMs })
    return found
  }

  async function one(address: Address, named: readonly bigint[]): Promise<Token> {
    const token = await remembered(known, address, identify)
    if (token.unindexed !== undefined) return { ...token, unindexed: token.unindexed }
    const hasTokens = named.length > 0 && (await remembered(asked, address, () => askFor(address, named)))
    return { ...token, unindexed: hasTokens ? 'tokenId' : 'amount' }
  }

  return {
    async read(wanted, signal) {
      const tokens = await mapAtOnce([...wanted], readsAtOnce, async ([address, named]) => {
        signal?.throwIfAborted()
        return [address, await one(address, named)] as const
      })
      return new Map(tokens)
    },
  }
}

/** What is remembered of an address, or is being read of it; what could not be read is not remembered. */
function remembered<T>(
  cache: LRUCache<Address, Promise<T>>,
  address: Address,
  read: (address: Address) => Promise<T>,
): Promise<T> {
  let value = cache.get(address)
  if (!value) {
    // In a turn of its own, so that it is remembered before `read` changes for how long.
    value = Promise.resolve().then(() => read(address))
    cache.set(address, value)
    value.catch(() => cache.delete(address))
  }
  return value
}
