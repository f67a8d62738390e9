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
    /** The receipt that counted at a position; undefined: none yet. */
    const gotBy = (position: number) => {
      const before = received.filter((one) => one.position <= position)
      return before.findLast(({ from }) => from !== holder) ?? before[0]
    }
    const got = gotBy(Number.POSITIVE_INFINITY)!
    return [{ tokenId, isErc1155, amount, got, gotBy, moves: of.filter((one) => moved(one) && isOfWallet(one)) }]
  })
}

/** The server's data about a contract. */
export type Kind = {
  /** null: the contract has no row. */
  status: 'known' | 'live' | 'syncing' | null
  /** Topics find only some of its transfers, mostly those that brought tokens to the wallet. */
  unindexed: boolean
  columns: Record<string, unknown>
}
const plain = { status: null, unindexed: false, columns: {} }
export const kinds: Kind[] = [
  plain,
  { ...plain, status: 'known', columns: { name: 'Known', spam_score: 3, spam_reasons: ['looks "odd"'] } },
  { ...plain, status: 'known', columns: { possible_spam: true, spam_score: 90, spam_reasons: ['listed'] } },
  { ...plain, status: 'live', columns: { name: 'Live', symbol: 'LIV', verified: true } },
  { ...plain, status: 'live', columns: { possible_spam: true, spam_override: false } },
  { ...plain, status: 'live', unindexed: true, columns: { name: 'Unindexed' } },
  { ...plain, status: 'live', unindexed: true, columns: { spam_override: true } },
  { ...plain, status: 'syncing', columns: { name: 'Syncing' } },
]

export const isSpam = ({ columns }: Kind) => Boolean(columns.spam_override ?? columns.possible_spam ?? false)

/** Metadata fields of the tokens that have metadata. */
export const document = {
  ...{ token_uri: 'ipfs://one', metadata: '{}' },
  ...{ last_token_uri_sync: '2026-01-31T12:00:00.000Z', last_metadata_sync: '2026-01-31T12:00:01.000Z' },
}
export const noMetadata = { token_uri: null, metadata: null, last_token_uri_sync: null, last_metadata_sync: null }
export const hasMetadata = ({ status }: Kind, hash: string) =>
  status !== null && Number.parseInt(hash[0]!, 16) % 2 === 0
