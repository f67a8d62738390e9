import { createHash } from 'node:crypto'
import { type Address, zeroAddress } from '../src/util/hex.ts'
import { type LogToEmit, transferLogs } from './contracts/transferLogs.ts'
import type { TrueBalance, TrueRecord } from './truth.ts'

// The effect that EIP-721, EIP-1155 and EIP-2309 define for the logs of a test. It is computed from the test's intent and not from the logs.

export type Standard = 'ERC721' | 'ERC1155'

/** A log that a test emits, and its transfers. */
export type Emission = { standard: Standard | 'ERC20'; log: LogToEmit; moves: Move[] }

export type Move = { operator: Address | null; from: Address; to: Address; id: bigint; amount: bigint }

export type PlacedMove = Move & { standard: Standard; block: bigint }

export const emissions = {
  token: (from: Address, to: Address, id: bigint): Emission => ({
    standard: 'ERC721',
    log: transferLogs.erc721(from, to, id),
    moves: [{ operator: null, from, to, id, amount: 1n }],
  }),
  tokens: (from: Address, to: Address, first: bigint, count: bigint): Emission => ({
    standard: 'ERC721',
    log: transferLogs.consecutive(first, first + count - 1n, from, to),
    moves: Array.from({ length: Number(count) }, (_, n) => ({
      ...{ operator: null, from, to, id: first + BigInt(n), amount: 1n },
    })),
  }),
  erc1155: (operator: Address, from: Address, to: Address, ids: bigint[], amounts: bigint[]): Emission => ({
    standard: 'ERC1155',
    log:
      ids.length === 1
        ? transferLogs.single(operator, from, to, ids[0]!, amounts[0]!)
        : transferLogs.batch(operator, from, to, ids, amounts),
    moves: ids.map((id, n) => ({ operator, from, to, id, amount: amounts[n]! })),
  }),
  coins: (from: Address, to: Address, amount: bigint): Emission => ({
    standard: 'ERC20',
    log: transferLogs.erc20(from, to, amount),
    moves: [],
  }),
}

/** The standard of a token: ERC-1155 once an ERC-1155 event has moved some of it, because from then on such events define its balances. */
function followed(moves: readonly PlacedMove[]): Standard {
  return moves.some(({ standard, amount }) => standard === 'ERC1155' && amount > 0n) ? 'ERC1155' : 'ERC721'
}

/** The logs that contracts emitted, by block. A reorganisation removes the blocks above its fork. */
export class EipModel {
  readonly #blocks = new Map<bigint, { address: Address; emitted: readonly Emission[] }[]>()

  add(block: bigint, address: Address, emitted: readonly Emission[]): void {
    const known = this.#blocks.get(block) ?? []
    this.#blocks.set(block, [...known, { address, emitted }])
  }

  undoAbove(fork: bigint): void {
    for (const block of [...this.#blocks.keys()]) if (block > fork) this.#blocks.delete(block)
  }

  /** The standard of a collection: that of its first log with an indexed id. Its tokens may be of both standards. */
  standardOf(address: Address): Standard | null {
    return this.#movesOf(address)[0]?.standard ?? null
  }

  /** The transfers of the collection up to a block, including those of amount zero. */
  transfers(address: Address, block: bigint): PlacedMove[] {
    return this.#movesOf(address).filter((m) => m.block <= block)
  }

  /** The holders and their amounts at the end of a block, by token id. */
  balances(address: Address, block: bigint): Map<bigint, TrueBalance[]> {
    const held = new Map<bigint, TrueBalance[]>()
    for (const [tokenId, moves] of Map.groupBy(this.transfers(address, block), ({ id }) => id)) {
      const sums = new Map<Address, bigint>()
      const follows = followed(moves)
      for (const { standard, from, to, amount } of moves) {
        if (standard !== follows) continue
        if (standard === 'ERC721') sums.clear()
        else sums.set(from, (sums.get(from) ?? 0n) - amount)
        sums.set(to, (sums.get(to) ?? 0n) + amount)
      }
      sums.delete(zeroAddress)
      const holders = [...sums].filter(([, amount]) => amount > 0n)
      if (holders.length > 0)
        held.set(
          tokenId,
          holders.map(([holder, amount]) => ({ tokenId, holder, amount })),
        )
    }
    return held
  }

  records(address: Address, block: bigint): TrueRecord[] {
    const transfers = this.transfers(address, block).filter(({ amount }) => amount > 0n)
    const held = this.balances(address, block)
    return [...held]
      .map(([id, holders]): TrueRecord => {
        const moves = transfers.filter((move) => move.id === id)
        const mint = moves.find(({ from }) => from === zeroAddress)
        return {
          token_address: address,
          token_id: String(id),
          token_hash: createHash('md5').update(`${address}${id}`).digest('hex'),
          owner_of: holders.length === 1 ? holders[0]!.holder : null,
          minter_address: mint?.to ?? null,
          block_number: String(moves.at(-1)!.block),
          block_number_minted: String((mint ?? moves[0]!).block),
          contract_type: followed(moves),
          amount: String(holders.reduce((sum, { amount }) => sum + amount, 0n)),
        }
      })
      .sort((a, b) => (a.token_hash < b.token_hash ? 1 : -1))
  }

  #movesOf(address: Address): PlacedMove[] {
    return [...this.#blocks]
      .sort(([a], [b]) => Number(a - b))
      .flatMap(([block, all]) =>
        all
          .filter((one) => one.address === address)
          .flatMap(({ emitted }) => emitted)
          .flatMap(({ standard, moves }) =>
            standard === 'ERC20' ? [] : moves.map((move): PlacedMove => ({ ...move, standard, block })),
          ),
      )
  }
}
