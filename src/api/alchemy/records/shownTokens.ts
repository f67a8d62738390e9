import { type NftRecord, readRecords } from '../../../nft/nftRecord.ts'
import type { CollectionState, HeldTokens, NftQuery } from '../../../nft/query.ts'
import type { WalletHolding, WalletQuery, WholeWalletQuery } from '../../../nft/walletQuery.ts'
import type { Address } from '../../../util/hex.ts'
import type { WalletCoverage } from '../../nft/wallets/answerWallet.ts'

/** A wallet's holdings in a contract, and one of its tokens. */
export type ShownToken = { holding: WalletHolding | undefined; record: NftRecord | undefined }

const shownForm = { hex: false, normalized: true, media: true, details: 'kept' } as const

/** Reads one token per contract of a wallet, in the order given: one statement for holdings, one for records. */
export async function readShownTokens(options: {
  wallets: WalletQuery
  whole: WholeWalletQuery
  nft: NftQuery
  coverage: WalletCoverage
  filter: { chainId: bigint; wallet: Address }
  contracts: readonly { address: Address; state: CollectionState | undefined }[]
}): Promise<ShownToken[]> {
  const { wallets, whole, nft, coverage, filter, contracts } = options
  if (coverage.scope === 'chain') {
    const of = coverage.whole
    const addresses = contracts.map(({ address }) => address)
    const shown = { ...filter, contracts: addresses, excludeSpam: false, asOf: null }
    const held = of ? await whole.firstTokens({ ...shown, of }) : []
    const records = await recordsOf(nft, held)
    return addresses.map((address) => ({ holding: undefined, record: records.get(address) }))
  }
  const holdings = await wallets.holdings(
    filter,
    contracts.flatMap(({ state }) => state ?? []),
  )
  const held = contracts.flatMap(({ address, state }) => {
    const holding = state && holdings.get(state.id)
    if (!state || !holding?.bytes) return []
    return [{ state, address, holder: filter.wallet, hashes: [holding.hash], bytes: holding.bytes }]
  })
  const records = await recordsOf(nft, held)
  return contracts.map(({ address, state }) => ({
    holding: state && holdings.get(state.id),
    record: records.get(address),
  }))
}

/** `held`: one token per contract. Those whose metadata exceeds one answer together are read by several statements. */
async function recordsOf(nft: NftQuery, held: readonly HeldTokens[]): Promise<Map<Address, NftRecord>> {
  const found = new Map<Address, NftRecord>()
  for (let remaining = held; remaining.length > 0; ) {
    const { records, used } = await nft.held([...remaining], shownForm)
    for (const record of readRecords(records)) found.set(record.token_address as Address, record)
    remaining = remaining.slice(used)
  }
  return found
}
