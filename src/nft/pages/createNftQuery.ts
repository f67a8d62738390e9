import { type ByteReader, bytesOf } from '../../db/byteRows.ts'
import type { Database, Sql } from '../../db/database.ts'
import { partitionOf } from '../../sync/partition.ts'
import type { ByteList } from '../../util/byteList.ts'
import { type Address, hexToBuffer } from '../../util/hex.ts'
import { askForMedia } from '../media/mediaStore.ts'
import { makeDue } from '../metadata/store/metadataStore.ts'
import { type CollectionState, mostPageBytes, type NftQuery, type RecordOptions, type Records } from '../query.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import { type AskedOfOne, groupTokens } from './askedTokens.ts'
import { type PageRow, readPageRow } from './pageRow.ts'
import { pageSql, type Wanted } from './pageSql.ts'
import { isWide, listedWidths, pageWidth } from './pageWidth.ts'
import { collectionText, createRecordWriter, type RecordWriter, renderPicked, renderRecords } from './record.ts'
import { decodeNamedState, decodeState, selectState, selectStates } from './state.ts'
import { type CountTexts, createTraitCounts } from './traitCounts.ts'

/** Only the last part of the hash space includes its upper bound. */
const within = (operator: '<' | '<=') => ` AND t.token_hash >= $3 AND t.token_hash ${operator} $4`

const selectCount = (operator: '<' | '<=') =>
  `SELECT count(*) FROM token t WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0${within(operator)}`
const countBelow = selectCount('<')
const countToTop = selectCount('<=')

const lowest = '00000000000000000000000000000000'
const highest = 'ffffffffffffffffffffffffffffffff'

export type NftQueryOptions = {
  db: Database
  /** The connections that pages are read with; those of `db` where none are given. */
  reader?: Sql & ByteReader
  /** The address at which clients reach this server, for addresses of previews. */
  publicUrl?: () => string
  /** Documents older than this are read again when a page shows them, in milliseconds; null: never. */
  refreshAfterMs?: number | null
}

type CountedPage = PageRow & { counts: CountTexts }

/** How often a page is read where its counts keep changing; the last time it is shown with the counts that were read after it. */
const mostReads = 4

export function createNftQuery(options: NftQueryOptions): NftQuery {
  const { db, reader = { ...db, ...bytesOf(db) }, publicUrl = () => '', refreshAfterMs = null } = options
  const counts = createTraitCounts(reader)
  const staleBefore = () => (refreshAfterMs === null ? null : new Date(Date.now() - refreshAfterMs))

  async function readTexts(
    state: CollectionState,
    wanted: Wanted,
    bounds: readonly unknown[],
    { normalized, media }: RecordOptions,
  ): Promise<PageRow> {
    const values = [state.partition, state.id, staleBefore(), ...bounds]
    const read = async (complete: boolean) => {
      const [row] = await reader.bytes(pageSql({ wanted, normalized, media, complete }), values)
      return readPageRow(row ?? [], { normalized, media })
    }
    const page = await read(false)
    if (page.complete) return page
    reader.giveBack(page.row)
    return read(true)
  }

  /** Reads the texts of a page and the counts of the same moment, and both again where counts changed between the two statements. */
  async function readPage(
    state: CollectionState,
    wanted: Wanted,
    bounds: readonly unknown[],
    options: RecordOptions,
  ): Promise<CountedPage> {
    for (let attempt = 1; ; attempt++) {
      const page = await readTexts(state, wanted, bounds, options)
      const found = await counts.read(state, page.traitsVersion, page.slots.traits)
      if (found.version === page.traitsVersion || attempt === mostReads) return { ...page, counts: found.texts }
      reader.giveBack(page.row)
    }
  }

  /** Asks for previews that the page shows and nobody asked for, and has its old documents read again. */
  async function refresh(state: CollectionState, page: PageRow, count: number): Promise<void> {
    if (page.unasked.length > 0) await askForMedia(reader, state, page.unasked)
    if (page.stale.size === 0) return
    const tokens: { hash: string; tokenId: string }[] = []
    for (let i = 0; i < count; i++) {
      const hash = page.hashOf(i)
      if (page.stale.has(hash)) tokens.push({ hash, tokenId: page.idOf(i) })
    }
    if (tokens.length > 0) await makeDue(db, state, tokens)
  }

  async function writerOf(
    state: CollectionState,
    address: Address,
    page: CountedPage,
    options: { count: number; hex: boolean },
  ): Promise<RecordWriter> {
    await refresh(state, page, options.count)
    const form = { hex: options.hex, counts: page.counts, publicUrl: publicUrl() }
    return createRecordWriter(page, collectionText(address, state), form)
  }

  /** The records of pages, whose rows are given back once their bytes are copied. */
  function recordsOf(list: ByteList, pages: readonly CountedPage[]): Records {
    return {
      toBuffer(before, after) {
        const bytes = list.toBuffer(before, after)
        for (const page of pages) reader.giveBack(page.row)
        return bytes
      },
    }
  }

  async function render(
    state: CollectionState,
    address: Address,
    page: CountedPage,
    count: number,
    hex: boolean,
  ): Promise<Records> {
    return recordsOf(renderRecords(await writerOf(state, address, page, { count, hex }), count), [page])
  }

  /** Whether the records of several tokens are too long for one answer. */
  async function areTooLong(asked: readonly AskedOfOne[], options: RecordOptions): Promise<boolean> {
    if (!isWide(asked.map(({ state, hashes }) => ({ state, tokens: hashes.length })))) return false
    const widths = (await Promise.all(asked.map((one) => listedWidths(reader, one, options)))).flat()
    return widths.length > 1 && widths.reduce((sum, width) => sum + width, 0) > mostPageBytes
  }

  /** What writes the records of tokens of one collection, and where each token stands. */
  async function readListed({ state, address, hashes }: AskedOfOne, options: RecordOptions) {
    const page = await readPage(state, 'listed', [hashes], options)
    const count = page.lines.starts.length
    const writer = await writerOf(state, address, page, { count, hex: options.hex })
    const lines = new Map(Array.from({ length: count }, (_, line) => [page.hashOf(line), line]))
    return { page, writer, lines }
  }

  return {
    async state(chainId, address) {
      const [row] = await reader.rows(selectState, [partitionOf(chainId, address), chainId, hexToBuffer(address)])
      return row && decodeState(row)
    },

    async states(chainId, addresses) {
      const partitions = addresses.map((address) => partitionOf(chainId, address))
      const rows = await reader.rows(selectStates, [chainId, partitions, addresses.map(hexToBuffer)])
      return new Map(rows.map(decodeNamedState))
    },

    async page({ state, address, range, after, limit: asked, ...options }) {
      const upper = after ?? range.to
      const bounds = [range.from ?? lowest, upper ?? highest]
      const key = [state.partition, state.id, ...bounds]
      const limit = isWide([{ state, tokens: asked }])
        ? await pageWidth(reader, { key, toTop: !upper, limit: asked, options })
        : asked
      const page = await readPage(state, upper ? 'below' : 'toTop', [...bounds, limit + 1], options)
      const found = page.lines.starts.length
      const count = Math.min(found, limit)
      const records = await render(state, address, page, count, options.hex)
      return { records, count, last: found > limit ? page.hashOf(count - 1) : null }
    },

    async count(state, range) {
      if (!range.from && !range.to) return Number(state.tokens)
      const key = [state.partition, state.id, range.from ?? lowest, range.to ?? highest]
      const [row] = await reader.rows<[bigint]>(range.to ? countBelow : countToTop, key)
      return Number(row?.[0] ?? 0n)
    },

    async token(state, address, tokenId, options) {
      const page = await readPage(state, 'one', [tokenHash(address, String(tokenId))], options)
      const count = page.lines.starts.length
      return count === 0 ? undefined : (await render(state, address, page, count, options.hex)).toBuffer()
    },

    async tokens(asked, options) {
      const { collections, inOrder } = groupTokens(asked)
      if (await areTooLong(collections, options)) return undefined
      // One statement a collection; none of them waits for the answer to another.
      const read = await Promise.all(collections.map((one) => readListed(one, options)))
      const picked = inOrder.flatMap(({ collection, hash }) => {
        const { writer, lines } = read[collection]!
        const line = lines.get(hash)
        return line === undefined ? [] : [{ writer, line }]
      })
      const pages = read.map(({ page }) => page)
      return recordsOf(renderPicked(picked), pages)
    },
  }
}
