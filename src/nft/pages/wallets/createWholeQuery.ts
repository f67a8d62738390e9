import type { Database, Sql } from '../../../db/database.ts'
import { type ByteReader, bytesOf } from '../../../db/pipeline/byteRows.ts'
import type { OpenChains } from '../../../sync/openChains.ts'
import { partitionOf } from '../../../sync/partition.ts'
import { createLru } from '../../../util/createLru.ts'
import { type Address, hexToBuffer } from '../../../util/hex.ts'
import type { BlockHashes } from '../../blocks/createBlockHashes.ts'
import { createPageTimes, type PageTimes } from '../../blocks/createBlockTimes.ts'
import { followedTimes } from '../../blocks/followedBlocks.ts'
import { lastPositionOf } from '../../transfers/position.ts'
import { highestHash } from '../../transfers/tokenHash.ts'
import type { WalletCollection, WholeFilter, WholeState, WholeWallet, WholeWalletQuery } from '../../walletQuery.ts'
import { staleBefore } from '../rows/shownRequests.ts'
import { createReceivedTimes } from './receivedTimes.ts'
import { requestKnown } from './requestKnown.ts'
import { contractsIn, contractsSql, countSql } from './wholeContractsSql.ts'
import { startOf, tokensOf, wholePageIn } from './wholePage.ts'
import { tokensSql } from './wholeSql.ts'
import { decodeState, selectState } from './wholeState.ts'

/** Remembered pages, 100 bytes each. */
const mostNoted = 50_000

/** How long a page is remembered, in milliseconds: a reorg may have removed metadata of its tokens, and moved these in the same place again. */
const rememberedMs = 30_000

/** Remembered wallets, 500 bytes each. */
const mostStates = 10_000

/** Above every address. */
const topContract = Buffer.alloc(21, 0xff)

export type WholeQueryOptions = {
  db: Database
  /** Connections for pages; default: those of `db`. */
  reader?: Sql & ByteReader
  /** The primary, for writes when a page is first shown, if `db` is a replica. Default: `db`. */
  primary?: Database | undefined
  blockHashes: BlockHashes
  openChains: OpenChains
  /** Shared with other queries; created if omitted. */
  times?: PageTimes
  /** Metadata older than this is read again when shown, in milliseconds; null: never. */
  refreshAfterMs?: number | null
}

export function createWholeQuery(options: WholeQueryOptions): WholeWalletQuery {
  const { db, reader = { ...db, ...bytesOf(db) }, primary = db, blockHashes, openChains } = options
  const { times = createPageTimes({ db: primary, openChains }), refreshAfterMs = null } = options
  const timed = createReceivedTimes(db, times)
  /** Pages whose contracts and tokens were passed to `requestKnown`, by mark. */
  const noted = createLru<string, true>(mostNoted, { ttl: rememberedMs })
  /** Wallets as last read, by chain and address. */
  const states = createLru<string, WholeState>(mostStates)
  function remember(chainId: bigint, wallet: Address, state: WholeState | undefined): WholeState | undefined {
    const name = `${chainId} ${wallet}`
    if (state === undefined) states.delete(name)
    else states.set(name, state)
    return state
  }
  const keyOf = ({ chainId, wallet, of }: Pick<WholeFilter, 'chainId' | 'wallet' | 'of'>) => [
    ...[of.partition, of.id, chainId, hexToBuffer(wallet)],
  ]

  /**
   * Reads a page with the state of its wallet at the same moment. `asOf`: the block at whose end the page shows the wallet, if its rows are of later
   * ones. Reads it again if the wallet was completed meanwhile, or removed and requested again, or caught up.
   */
  async function readMoment<P extends { state: WholeState | undefined }>(
    { chainId, wallet, of: given, asOf: requested }: Pick<WholeFilter, 'chainId' | 'wallet' | 'of' | 'asOf'>,
    read: (of: WholeWallet, asOf: bigint | null) => Promise<P>,
  ) {
    for (let of = given; ; ) {
      const asOf = requested ?? of.shownAt
      const page = await read(of, asOf)
      const state = remember(chainId, wallet, page.state)
      if (state === undefined) return { page, of, state }
      const isOwnBlock = requested === null && asOf !== null
      const isShown = requested !== null || isOwnBlock === (state.shownAt !== null)
      if (isSame(state, of) && isShown) return { page, of, state: isOwnBlock ? { ...state, toBlock: asOf } : state }
      of = state
    }
  }

  return {
    async state(chainId, wallet) {
      const [row] = await reader.rows(selectState, [partitionOf(chainId, wallet), chainId, hexToBuffer(wallet)])
      return remember(chainId, wallet, row && decodeState(row))
    },

    lastState: (chainId, wallet) => states.get(`${chainId} ${wallet}`),

    async tokens(filter, after, { limit, order, acquired, metadata }) {
      const { contracts, wallet } = filter
      const spam = spamOf(filter)
      const named = contracts !== null
      const filtered = named || spam !== null
      const place = [after ? hexToBuffer(after.contract) : topContract, after?.hash ?? highestHash]
      const since = after?.since
      const wanted = [contracts?.map(hexToBuffer) ?? null, spam]
      const received = acquired || order === 'acquired'
      const last = [after?.received ?? topPosition, staleBefore(refreshAfterMs)]
      const { page, of, state } = await readMoment(filter, async (of, asOf) => {
        const values = [
          ...keyOf({ ...filter, of }),
          ...place,
          limit + 1,
          ...wanted,
          lastOf(asOf),
          ...last,
          since ?? null,
        ]
        const { complete, hasTabled } = of
        const choice = { complete, hasTabled, filtered, named, asOf: asOf !== null, order, received, metadata }
        const [row] = await reader.bytes(tokensSql({ ...choice, since: since !== undefined }), values)
        return wholePageIn(row!, order)
      })
      const tokens = acquired ? await timed({ ...filter, of }, page.tokens) : page.tokens
      const fixedAt = after ? since : startOf(page.tokens[0]?.position, page.end?.first)
      const form = { limit, order, acquired, spam }
      const { known, isDecided, ...found } = tokensOf({ ...page, tokens }, wallet, form, fixedAt)
      const name = `${filter.chainId} ${found.mark}`
      if (!noted.get(name)) {
        await requestKnown(primary, filter.chainId, known())
        noted.set(name, true)
      }
      return { ...found, state: isDecided || !isBySpam(filter) ? state : unsynced(state) }
    },

    async collections(filter, after, { limit, order }) {
      const place = after ? hexToBuffer(after.contract) : topContract
      const since = after?.since
      const spam = spamOf(filter)
      const { page, state } = await readMoment(filter, async (of, asOf) => {
        const choice = { complete: of.complete, filtered: spam !== null, asOf: asOf !== null, order }
        const text = contractsSql({ ...choice, since: since !== undefined })
        const wanted = [limit + 1, spam, lastOf(asOf), after?.received ?? topPosition, since ?? null]
        return contractsIn(await reader.rows(text, [...keyOf({ ...filter, of }), place, ...wanted]))
      })
      const { found, end } = page
      const shown = found.slice(0, limit)
      const isDecided = !isBySpam(filter) || !shown.some(({ isUnassessed }) => isUnassessed)
      const unnamed = shown.flatMap(({ isUnnamed, address, standard }) => (isUnnamed ? { address, standard } : []))
      await requestKnown(primary, filter.chainId, unnamed)
      const last = found.length > limit ? shown.at(-1) : end
      const fixedAt = after ? since : startOf(found[0]?.receivedPosition, end?.firstPosition)
      const listed = shown.filter(({ isUnassessed }) => !(spam && isUnassessed))
      return {
        collections: listed.map(
          ({ address, standard, name, symbol, possibleSpam, verified, tokens, totalAmount }): WalletCollection => ({
            ...{ address, standard, name, symbol, possibleSpam, verified, tokens, totalAmount },
          }),
        ),
        state: isDecided ? state : unsynced(state),
        next: last
          ? {
              contract: last.address,
              ...(order === 'acquired' && {
                received: String(last.receivedPosition),
                ...(fixedAt && { since: fixedAt }),
              }),
            }
          : null,
      }
    },

    async firstTokens(filter) {
      const { of, contracts, wallet } = filter
      if (contracts.length === 0) return []
      const values = [
        ...[...keyOf(filter), topContract, highestHash, contracts.length, contracts.map(hexToBuffer)],
        ...[null, null, topPosition, null, null],
      ]
      const text = tokensSql({
        complete: of.complete,
        hasTabled: of.hasTabled,
        filtered: true,
        named: false,
        asOf: false,
        order: 'contract',
        received: false,
        since: false,
        first: true,
        metadata: null,
      })
      const [row] = await reader.bytes(text, values)
      const page = wholePageIn(row!, 'contract')
      const form = { limit: contracts.length, order: 'contract', acquired: false, spam: null } as const
      return tokensOf(page, wallet, form, undefined).held
    },

    async count(filter) {
      const contracts = filter.contracts?.map(hexToBuffer) ?? null
      const asOf = filter.asOf ?? filter.of.shownAt
      const values = [...keyOf(filter), contracts, spamOf(filter), lastOf(asOf)]
      const [row] = await db.rows<[bigint, bigint]>(countSql(filter.of.complete, asOf !== null), values)
      return { tokens: Number(row![0]), collections: Number(row![1]) }
    },

    async blockHash({ id }, chainId, number) {
      const [followed] = await followedTimes(db, chainId, [number])
      return followed?.hash ?? blockHashes.read({ epoch: 'wallet', id }, chainId, number)
    },
  }
}

/** Above every position. */
const topPosition = 2n ** 63n - 1n

/** The state for a page with contracts of which nobody knows yet whether they pass its spam filter. */
const unsynced = (state: WholeState | undefined) =>
  state && { ...state, synced: false, progress: Math.min(state.progress, 0.999) }

const isBySpam = (filter: Pick<WholeFilter, 'excludeSpam' | 'onlySpam' | 'bySpam'>) =>
  spamOf(filter) !== null || filter.bySpam === true

/** The spam filter of a page: see `mayPass`. */
const spamOf = ({ excludeSpam, onlySpam }: Pick<WholeFilter, 'excludeSpam' | 'onlySpam'>) =>
  onlySpam ? true : excludeSpam ? false : null

const lastOf = (asOf: bigint | null) => (asOf === null ? null : lastPositionOf(asOf))

const isSame = (a: WholeWallet, b: WholeWallet) =>
  a.id === b.id && a.complete === b.complete && a.hasTabled === b.hasTabled
