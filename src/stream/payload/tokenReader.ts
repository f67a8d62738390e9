import { LRUCache } from 'lru-cache'
import type { ContractReader } from '../../chain/evm/contract.ts'
import type { Address } from '../../util/hex.ts'

/** What a token's contract says of itself, as webhooks have it: '' where it says nothing. */
export type Token = {
  name: string
  symbol: string
  /** null: no decimals, so no ERC-20. */
  decimals: number | null
  standard: 'ERC721' | 'ERC1155' | undefined
}

export type TokenReader = {
  /** What the contracts say, each read once and remembered. Throws what the node throws while it cannot be asked. */
  read(addresses: Iterable<Address>): Promise<ReadonlyMap<Address, Token>>
}

/** Tokens remembered: some 300 bytes each. */
const maxRemembered = 50_000
/** A contract that has no code yet at the node's head may have it a moment later. */
const codelessMs = 30_000
const readsAtOnce = 8

export function createTokenReader({ contracts }: { contracts: Pick<ContractReader, 'identify'> }): TokenReader {
  const known = new LRUCache<Address, Promise<Token>>({ max: maxRemembered })

  async function identify(address: Address): Promise<Token> {
    const { hasCode, name, symbol, decimals, standard } = await contracts.identify(address)
    if (!hasCode) known.set(address, known.peek(address)!, { ttl: codelessMs })
    return { name: name ?? '', symbol: symbol ?? '', decimals: decimals ?? null, standard }
  }

  function one(address: Address): Promise<Token> {
    let token = known.get(address)
    if (!token) {
      // In a turn of its own, so that it is remembered before it is known to be without code.
      token = Promise.resolve().then(() => identify(address))
      known.set(address, token)
      token.catch(() => known.delete(address))
    }
    return token
  }

  return {
    async read(addresses) {
      const tokens = new Map<Address, Token>()
      const waiting = [...new Set(addresses)]
      async function lane(): Promise<void> {
        for (let address = waiting.pop(); address !== undefined; address = waiting.pop())
          tokens.set(address, await one(address))
      }
      await Promise.all(Array.from({ length: readsAtOnce }, lane))
      return tokens
    },
  }
}
