import type { Database, Sql } from '../../db/database.ts'
import { type ByteReader, bytesOf } from '../../db/pipeline/byteRows.ts'
import { partitionOf } from '../../sync/partition.ts'
import { type Address, bufferToHex, hexToBuffer } from '../../util/hex.ts'
import { isCollection } from '../collection/coveredTo.ts'
import type { CollectionState, HeldTokens, ListedOptions, NftQuery, RecordOptions } from '../query.ts'
import { readScores, readVerdict } from '../spam/verdict.ts'
import { highestHash, lowestHash, tokenHash } from '../transfers/tokenHash.ts'
import { searchCollections } from './collections/searchCollections.ts'
import { decodeNamedState, decodeState, selectState, selectStates } from './collections/state.ts'
import { readStatistics, readTokenStatistics } from './collections/statistics.ts'
import { createPageReader } from './createPageReader.ts'
import { createFilteredPages } from './filteredPage.ts'
import { createIdPages } from './idPages.ts'
import { createListedRecords } from './listedRecords.ts'
import { createOwnerPages } from './ownerPages.ts'
import { isLarge, pageWidth } from './pageWidth.ts'
import { countTraitValues, readTraits } from './traits/traitList.ts'
import { isSpam } from './wallets/walletTokens.ts'

/** Only the last part of the hash space includes its upper bound. */
const within = (operator: '<' | '<=') => ` AND t.token_hash >= $3 AND t.token_hash ${operator} $4`

const selectCount = (operator: '<' | '<=') =>
  `SELECT count(*) FROM token t WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0${within(operator)}`
const countBelow = selectCount('<')
const countToTop = selectCount('<=')

const selectSpam = `
SELECT c.address FROM collection c WHERE c.chain_id = $1 AND ${isSpam} AND ${isCollection('c')} ORDER BY c.address LIMIT $2`

/** Most scanned collections of all chains in a search, and most results of one chain. */
const mostSearched = 400
const mostFound = 100

/** Statement timeout of a search, in milliseconds. */
const searchMs = 2_000

/** For a contract that was not assessed yet. */
const noScore = { score: 0, reasons: [] }

export type NftQueryOptions = {
  db: Database
  /** Connections for pages; default: those of `db`. */
  reader?: Sql & ByteReader
  /** Reads states that cached pages depend on, without waiting for other statements; default: `reader`. */
  lookups?: Sql | undefined
  /** The primary, for writes when a page is first shown, if the others are a replica. Default: `db`. */
  primary?: Database | undefined
  /** URL of this server for clients, for preview URLs. */
  publicUrl?: () => string
  /** Metadata older than this is read again when shown, in milliseconds; null: never. */
  refreshAfterMs?: number | null
}

export function createNftQuery(options: NftQueryOptions): NftQuery {
  const { db, reader = { ...db, ...bytesOf(db) }, primary, publicUrl = () => '', refreshAfterMs = null } = options
  const { lookups = reader } = options
  const pages = createPageReader({ db, reader, primary, publicUrl, refreshAfterMs })
  const filtered = createFilteredPages({ sql: reader, pages })
  const listed = createListedRecords({ sql: reader, pages })
  const idPages = createIdPages({ sql: reader, pages })

  /** The state with its spam reasons, if records show them. */
  async function shownState(state: CollectionState, { spam }: RecordOptions): Promise<CollectionState> {
    const verdict = spam ? await readVerdict(reader, state) : undefined
    return verdict ? { ...state, spam: { score: verdict.score, reasons: verdict.reasons } } : state
  }

  /** The same for the collections of wallets' tokens. */
  async function shownHeld(held: readonly HeldTokens[], { spam }: ListedOptions): Promise<readonly HeldTokens[]> {
    if (!spam) return held
    const scores = await readScores(reader, [...new Map(held.map(({ state }) => [state.id, state])).values()])
    return held.map((one) => ({ ...one, state: { ...one.state, spam: scores.get(one.state.id) ?? noScore } }))
  }

  const page: NftQuery['page'] = async ({ traits = null, ...wanted }) => {
    const given = { ...wanted, state: await shownState(wanted.state, wanted) }
    if (given.rarity) await pages.requestRanks(given.state)
    if (traits !== null) return filtered.page({ ...given, filter: traits })
    const { state, address, range, after, limit: requested, ...options } = given
    const upper = after ?? range.to
    const bounds = [range.from ?? lowestHash, upper ?? highestHash]
    const key = [state.partition, state.id, ...bounds]
    const limit = isLarge([{ state, tokens: requested }])
      ? await pageWidth(reader, { key, toTop: !upper, limit: requested, options })
      : requested
    const read = await pages.page(state, upper ? 'below' : 'toTop', [...bounds, limit + 1], options)
    const found = read.lines.starts.length
    const count = Math.min(found, limit)
    const records = await pages.records(state, address, read, { count, hex: options.hex })
    return { records, count, last: found > limit ? read.hashOf(count - 1) : null }
  }

  return {
    async state(chainId, address) {
      const [row] = await lookups.rows(selectState, [partitionOf(chainId, address), chainId, hexToBuffer(address)])
      return row && decodeState(row)
    },

    async states(chainId, addresses) {
      const partitions = addresses.map((address) => partitionOf(chainId, address))
      const rows = await reader.rows(selectStates, [chainId, partitions, addresses.map(hexToBuffer)])
      return new Map(rows.map(decodeNamedState))
    },

    page,

    async count(state, range, traits = null) {
      if (traits !== null) return filtered.count(state, range, traits)
      if (!range.from && !range.to) return Number(state.tokens)
      const key = [state.partition, state.id, range.from ?? lowestHash, range.to ?? highestHash]
      const [row] = await reader.rows<[bigint]>(range.to ? countBelow : countToTop, key)
      return Number(row?.[0] ?? 0n)
    },

    async spamContracts(chainId, limit) {
      const rows = await reader.rows<[Buffer]>(selectSpam, [chainId, limit])
      return rows.map(([address]) => bufferToHex(address))
    },

    async search(chainId, text) {
      const { items } = await searchCollections(db, { text, limit: mostSearched, ms: searchMs })
      const addresses = items.filter((found) => found.chainId === chainId).map(({ address }) => address)
      const states = await this.states(chainId, addresses.slice(0, mostFound))
      return addresses.flatMap((address) => {
        const state = states.get(address)
        return state ? [[address, state] as [Address, CollectionState]] : []
      })
    },

    traits: (requested) => readTraits(reader, requested),

    countTraits: (state) => countTraitValues(reader, state),

    async token(known, address, tokenId, options) {
      const state = await shownState(known, options)
      if (options.rarity) await pages.requestRanks(state)
      const page = await pages.page(state, 'one', [tokenHash(address, String(tokenId))], options)
      const count = page.lines.starts.length
      if (count === 0) return undefined
      return (await pages.records(state, address, page, { count, hex: options.hex })).toBuffer()
    },

    ...listed,

    held: async (held, options, metadata) => listed.held(await shownHeld(held, options), options, metadata),

    pageOfIds: async (requested) =>
      idPages.pageOfIds({ ...requested, state: await shownState(requested.state, requested) }),

    ...createOwnerPages({ sql: reader, counting: db, pages, page }),

    statistics: (state) => readStatistics(reader, state),

    tokenStatistics: (state, address, tokenId) => readTokenStatistics(reader, state, { address, tokenId }),
  }
}
