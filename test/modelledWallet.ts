import { positionOf } from '../src/nft/transfers/position.ts'
import { type Transfer, zeroAddress } from '../src/nft/transfers/transfer.ts'
import type { Random } from './random.ts'

/** The address of the wallet, in the form that transfers use. */
export const holder = '77'.repeat(20)
const others = ['88'.repeat(20), '99'.repeat(20)]

/** Transfers of correct and of faulty contracts: of tokens that the sender does not have, to the sender itself, and of amount zero. */
export function randomTransfers(random: Random, of: number, count: number): Transfer[] {
  const erc1155 = [0, 0.5, 1][of % 3]!
  return Array.from({ length: count }, (_, i) => {
    const isErc1155 = random.chance(erc1155)
    const [from, to] = random.pick([
      ...[
        [zeroAddress, holder],
        [others[0]!, holder],
        [others[0]!, holder],
        [holder, holder],
        [holder, others[1]!],
      ],
      ...[
        [zeroAddress, others[0]!],
        [others[0]!, others[1]!],
      ],
    ]) as [string, string]
    const block = 1 + Math.floor((20 * i) / count)
    return {
      // Positions are unique, even over several contracts.
      ...{ position: positionOf(block, 1_000 * of + i), item: 0, tokenId: String(random.int(6)), from, to },
      ...{ amount: isErc1155 ? String(random.int(4)) : '1', operator: isErc1155 ? others[0]! : null },
      ...{ transactionHash: 'cd'.repeat(32), transactionIndex: 0, blockHash: 'ab'.repeat(32), blockTime: 60 * block },
    }
  })
}

export const moved = ({ amount }: Transfer) => amount !== '0'
export const isOfWallet = ({ from, to }: Transfer) => from === holder || to === holder

/**
 * The holdings that result from the wallet's transfers.
 * If `isOwn` is false, transfers of others count too: they may show that an ERC-721 token went elsewhere.
 */
export function holdingsOf(transfers: readonly Transfer[], isOwn: boolean) {
  return [...Map.groupBy(transfers, ({ tokenId }) => tokenId)].flatMap(([tokenId, of]) => {
    const erc1155Transfers = of.filter(({ operator }) => operator !== null)
    const isErc1155 = erc1155Transfers.some(moved)
    const sum = erc1155Transfers.reduce(
      (total, { from, to, amount }) =>
        total + (to === holder ? Number(amount) : 0) - (from === holder ? Number(amount) : 0),
      0,
    )
    const last = of.findLast((one) => one.operator === null && (!isOwn || isOfWallet(one)))
    const amount = isErc1155 ? sum : last?.to === holder ? 1 : 0
    if (amount <= 0) return []
    const received = of.filter((one) => one.to === holder && moved(one))
    const got = received.findLast(({ from }) => from !== holder) ?? received[0]!
    return [{ tokenId, isErc1155, amount, got, moves: of.filter((one) => moved(one) && isOfWallet(one)) }]
  })
}
