import { type NftRecord, readRecords } from '../../nft/nftRecord.ts'
import type { CollectionState, NftQuery } from '../../nft/query.ts'
import type { WalletHolding, WalletQuery } from '../../nft/walletQuery.ts'
import type { Address } from '../../util/hex.ts'

/** What a wallet holds of a contract, and the token that stands for all of them. */
export type ShownToken = { holding: WalletHolding | undefined; record: NftRecord | undefined }

const shownForm = { hex: false, normalized: true, media: true }

/** Reads a token of each contract that a wallet holds tokens of, in the order given: one statement for the holdings, one for the records. */
export async function readShownTokens(options: {
  wallets: WalletQuery
  nft: NftQuery
  filter: { chainId: bigint; wallet: Address }
  contracts: readonly { address: Address; state: CollectionState | undefined }[]
}): Promise<ShownToken[]> {
  const { wallets, nft, filter, contracts } = options
  const holdings = await wallets.holdings(
    filter,
    contracts.flatMap(({ state }) => state?.id ?? []),
  )
  const held = contracts.flatMap(({ address, state }) => {
    const holding = state && holdings.get(state.id)
    if (!holding) return []
    const { hash, amount } = holding
    return [{ state, address, holder: filter.wallet, hashes: [hash], amounts: [amount], bytes: null }]
  })
  const found = held.length > 0 ? readRecords((await nft.held(held, shownForm)).records) : []
  const records = new Map(found.map((record) => [record.token_address, record]))
  return contracts.map(({ address, state }) => ({
    holding: state && holdings.get(state.id),
    record: records.get(address),
  }))
}
