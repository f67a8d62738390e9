import type { TransferFilter, TransferPlace, TransferRange, TransferSource } from '../../../nft/transferQuery.ts'
import { readTransfers, type TransferRecord } from '../../../nft/transferRecord.ts'
import { isBurnAddress } from '../../../util/burnAddresses.ts'
import { type Address, zeroAddress } from '../../../util/hex.ts'
import type { Exchange } from '../../http/route.ts'
import type { ApiChain } from '../../nft/chains.ts'
import { eachOfOneBlock } from '../../nft/pages.ts'
import { upTo } from '../../nft/transferPage.ts'
import { answerWallet } from '../../nft/wallets/answerWallet.ts'
import type { WalletReport } from '../../nft/wallets/reportWallets.ts'
import { transfersSource } from '../../nft/wallets/walletSource.ts'
import type { AlchemyOptions } from '../alchemyRoute.ts'
import { type IndexedReport, reportsOf } from '../indexedAnswer.ts'
import { createPageKeys } from '../pageKey.ts'
import { readBlockRange, readParameters, type TransferParameters } from './transferParameters.ts'
import { type TransferShape, transferShape } from './transferShape.ts'
import { mergeTransfers, type ReadTransfers, walkTransfers } from './walkTransfers.ts'

/** The result of `alchemy_getAssetTransfers`, with its indexing status. */
export type AssetTransfers = {
  result: { transfers: TransferShape[]; pageKey: string | null }
  reports: readonly IndexedReport[]
}

/** Where a page begins, with the blocks of the first page, as a tag may mean later ones now. */
type Place = [...TransferPlace, from: string | null, to: string | null]

/** Throws BadRequestError, and UnavailableError if no node returns block times. */
export async function getAssetTransfers(
  options: AlchemyOptions,
  { chain, params, exchange }: { chain: ApiChain; params: unknown; exchange: Exchange },
): Promise<AssetTransfers> {
  const { transfers, origins, collections, cursors, reports } = options
  const requested = readParameters(params)
  const { from, to, contracts, order, limit, withMetadata } = requested
  const { pageKey, limit: _, withMetadata: __, ...filters } = requested
  const keys = createPageKeys<Place>({
    ...{ cursors: await cursors(), operation: 'transfers.2' },
    filters: { chain: String(chain.id), ...filters },
  })
  const place = keys.read(pageKey)
  const after: TransferPlace | null = place && [place[0], place[1]]
  const range = place ? rangeOf(place) : await readBlockRange(requested, { origins, chainId: chain.id })

  const filter = filterOf(requested)
  const reading =
    (source: TransferSource, { block }: Pick<WalletReport, 'block'> = { block: null }): ReadTransfers =>
    async (after, limit) => {
      const page = await transfers.page({
        source,
        range: upTo(range, block),
        order,
        after,
        limit,
        hex: false,
        items: true,
        filter,
      })
      return { records: readTransfers(page.records), last: page.last }
    }

  const walk = (read: ReadTransfers) =>
    walkTransfers({
      read,
      after,
      limit,
      isWanted: (one) => isWanted(one, requested),
      isFiltered: filter !== undefined,
    })

  async function shown(
    found: Pick<Awaited<ReturnType<typeof walk>>, 'transfers' | 'next'>,
    reports: readonly IndexedReport[],
  ): Promise<AssetTransfers> {
    const standards = new Map(found.transfers.map(([first]) => [first!.token_address, first!.contract_type]))
    const read = await collections.read(chain.id, [...standards.keys()])
    const states = new Map(read.map(({ collection, snapshot }) => [collection.address, snapshot.state]))
    const unindexed = [...standards].flatMap(([address, standard]) =>
      states.get(address) ? [] : [{ address, standard }],
    )
    const known = await transfers.knownSymbols(chain.id, unindexed)
    const shapes = found.transfers.map((records) => {
      const address = records[0]!.token_address
      const symbol = states.get(address)?.symbol ?? known.get(address) ?? null
      return transferShape(order === 'ASC' ? records : records.toReversed(), { symbol, withMetadata })
    })
    const next: Place | null = found.next && [...found.next, textOf(range.from), textOf(range.to)]
    return { result: { transfers: shapes, pageKey: keys.sign(next) }, reports }
  }

  const { id: chainId } = chain
  const wallet = [from, to].find((one) => one !== null && hasTransfers(one, chain))
  if (wallet)
    return answerWallet(options, { chain, wallet, addresses: contracts, exchange }, async (coverage) => {
      const source = transfersSource(coverage, { chainId, wallet, addresses: contracts })
      return shown(source ? await walk(reading(source, coverage.report)) : nothing, [coverage.report])
    })
  if (!contracts) {
    const report = await reports.read(chainId)
    return shown(await walk(reading({ of: 'chain', chainId }, report)), [report])
  }
  return eachOfOneBlock({ collections, chainId, addresses: contracts, exchange }, async (snapshots, states) => {
    const lists = contracts.flatMap((address, i) => {
      const state = states[i]
      const isCollection = state && state.status !== 'none' && state.status !== 'nocode'
      return isCollection && hasStandard(state, requested) ? reading({ of: 'contract', chainId, state, address }) : []
    })
    return shown(lists.length > 0 ? await walk(mergeTransfers(lists, order)) : nothing, reportsOf(snapshots))
  })
}

const nothing = { transfers: [], next: null }

const rangeOf = ([, , from, to]: Place): TransferRange => ({ from: numberOf(from), to: numberOf(to) })
const numberOf = (digits: string | null) => (digits === null ? null : BigInt(digits))
const textOf = (block: bigint | null) => (block === null ? null : String(block))

/**
 * Whether an address has transfers as a wallet. The zero address has none; burn addresses are not indexed over all
 * contracts.
 */
const hasTransfers = (address: Address, { wallets }: ApiChain) =>
  wallets === 'chain' ? !isBurnAddress(address) : address !== zeroAddress

type Wanted = Pick<TransferParameters, 'from' | 'to' | 'standards' | 'excludeZeroValue'>

function isWanted(record: TransferRecord, { from, to, standards, excludeZeroValue }: Wanted): boolean {
  if (!standards[record.contract_type]) return false
  if (from !== null && record.from_address !== from) return false
  if (to !== null && record.to_address !== to) return false
  return !(excludeZeroValue && record.amount === '0')
}

/** The filter with which the database reads; undefined: it would select all transfers but those of zero amounts. */
function filterOf({ from, to, standards, excludeZeroValue }: Wanted): TransferFilter | undefined {
  const { ERC721, ERC1155 } = standards
  if (from === null && to === null && ERC721 && ERC1155) return undefined
  const standard = ERC721 === ERC1155 ? null : ERC721 ? 'ERC721' : 'ERC1155'
  return { from, to, standard, excludeZeroValue }
}

type Contract = Extract<TransferSource, { of: 'contract' }>

/** Whether a contract may have transfers of a requested standard. */
const hasStandard = ({ standard, mixed }: Contract['state'], { standards }: Wanted) =>
  standard === null || mixed || standards[standard]
