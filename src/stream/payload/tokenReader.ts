import type { LRUCache } from 'lru-cache'
import type { ContractReader } from '../../chain/evm/contracts/contract.ts'
import { type UnindexedMeaning, unindexedMeaning } from '../../chain/evm/contracts/contract.ts'
import type { OpenChain } from '../../sync/openChains.ts'
import { createLru } from '../../util/createLru.ts'
import type { Address } from '../../util/hex.ts'
import { mapAtOnce } from '../../util/mapAtOnce.ts'

/** Metadata of a token's contract for webhooks; a missing name or symbol is ''. */
export type Token = {
  name: string
  symbol: string
  /** null: no decimals, so not an ERC-20. */
  decimals: number | null
  standard: 'ERC721' | 'ERC1155' | undefined
  /** Meaning of the last argument of its Transfers and Approvals if they do not index it. */
  unindexed: UnindexedMeaning
}

export type TokenReader = {
  /**
   * Reads tokens. Each contract is queried once a day and cached. `contracts`: from `tokensIn`. Throws the node's errors.
   * After the signal aborts, no further contract is queried; running reads continue, and the next call gets their
   * results. `since`: the block of their logs.
   */
  read(
    contracts: ReadonlyMap<Address, readonly bigint[]>,
    since: bigint,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<Address, Token>>
  /** The contracts that count as spam. */
  spamAmong(addresses: readonly Address[]): Promise<ReadonlySet<Address>>
}

export type CachingTokenReader = TokenReader & {
  /** Blocks were undone, so another contract may have the address of one that was read lately. */
  forgetRecent(): void
}

/** The contracts of a chain that count as spam. */
export type SpamFilter = (chainId: bigint, addresses: readonly Address[]) => Promise<ReadonlySet<Address>>

const noSpam: SpamFilter = async () => new Set()

/** Most cached tokens, about 300 bytes each. */
const maxRemembered = 50_000
/** How long a token is cached, as contracts can change their names. */
const cachedMs = 86_400_000
/** Tokens that were read in this time may be of contracts in blocks that are not final. */
const recentMs = 3_600_000
/** How long the lack of code or tokens is cached, as that may change soon. */
const unsureMs = 30_000
/** How long the lack of a name and a symbol is cached, as a proxy may get them later. */
const namelessMs = 600_000
const readsAtOnce = 8

/** `spamFilter` omitted: nothing counts as spam. */
export function createTokenReader({
  contracts,
  chain,
  spamFilter = noSpam,
}: {
  contracts: Pick<ContractReader, 'identify' | 'hasToken'>
  chain: { id: bigint }
  spamFilter?: SpamFilter | undefined
}): CachingTokenReader {
  const known = createLru<Address, Promise<Omit<Token, 'unindexed'> & { unindexed: UnindexedMeaning | undefined }>>(
    maxRemembered,
    { ttl: cachedMs },
  )
  /** Whether contracts have tokens of unknown identity. */
  const requested = createLru<Address, Promise<boolean>>(maxRemembered, { ttl: cachedMs })

  async function identify(address: Address, since: bigint) {
    const identity = await contracts.identify(address, { since })
    const { hasCode, name, symbol, decimals, standard } = identity
    const ttl = hasCode ? namelessMs : unsureMs
    if (!hasCode || !(name || symbol)) known.set(address, known.peek(address)!, { ttl })
    const unindexed = unindexedMeaning(identity)
    return { name: name ?? '', symbol: symbol ?? '', decimals: decimals ?? null, standard, unindexed }
  }

  async function requestTokens(address: Address, named: readonly bigint[], since: bigint): Promise<boolean> {
    const found = await contracts.hasToken(address, named, { since })
    if (!found) requested.set(address, requested.peek(address)!, { ttl: unsureMs })
    return found
  }

  async function one(address: Address, named: readonly bigint[], since: bigint): Promise<Token> {
    const token = await remembered(known, address, () => identify(address, since))
    if (token.unindexed !== undefined) return { ...token, unindexed: token.unindexed }
    const hasTokens =
      named.length > 0 && (await remembered(requested, address, () => requestTokens(address, named, since)))
    return { ...token, unindexed: hasTokens ? 'tokenId' : 'amount' }
  }

  return {
    forgetRecent() {
      for (const cache of [known, requested])
        for (const address of [...cache.keys()]) {
          const ms = cache.getRemainingTTL(address)
          if (ms > cachedMs - recentMs || ms <= namelessMs) cache.delete(address)
        }
    },
    spamAmong: (addresses) => spamFilter(chain.id, addresses),
    async read(wanted, since, signal) {
      const tokens = await mapAtOnce([...wanted], readsAtOnce, async ([address, named]) => {
        signal?.throwIfAborted()
        return [address, await one(address, named, since)] as const
      })
      return new Map(tokens)
    },
  }
}

/**
 * One reader per open chain. After a reset the chain is opened again, and its contracts are read again, as the
 * addresses may have other contracts.
 */
export function createTokenReaders(
  spamFilter?: SpamFilter,
): (open: Pick<OpenChain, 'contracts' | 'chain'>) => TokenReader {
  const readers = new WeakMap<object, TokenReader>()
  return (open) => {
    const reader = readers.get(open) ?? createTokenReader({ ...open, spamFilter })
    readers.set(open, reader)
    return reader
  }
}

/** The cached value of an address, or the running read. A failed read is not cached. */
function remembered<T>(cache: LRUCache<Address, Promise<T>>, address: Address, read: () => Promise<T>): Promise<T> {
  let value = cache.get(address)
  if (!value) {
    // `read` starts in a later microtask, when the value is already cached: it may change the entry's lifetime.
    value = Promise.resolve().then(read)
    cache.set(address, value)
    value.catch(() => cache.delete(address))
  }
  return value
}
