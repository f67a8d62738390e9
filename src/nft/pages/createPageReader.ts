import type { Database, Sql } from '../../db/database.ts'
import type { ByteReader, ByteRow } from '../../db/pipeline/byteRows.ts'
import type { ByteList } from '../../util/byteList.ts'
import type { Address } from '../../util/hex.ts'
import type {
  CollectionState,
  ListedOptions,
  ListedRecords,
  RecordOptions,
  Records,
  ShownCollection,
} from '../query.ts'
import { type PageRow, readPageRow } from './pageRow.ts'
import { pageSql, type Wanted } from './pageSql.ts'
import { createRecordWriter, type Picked, pickedRecords, type RecordWriter, renderRecords } from './record.ts'
import type { RequestedOfOne } from './requestedTokens.ts'
import { createShownRequests, staleBefore } from './rows/shownRequests.ts'
import { rejectMoved } from './rows/syncPosition.ts'
import { type CountTexts, createTraitCounts } from './traits/traitCounts.ts'

export type PageReaderOptions = {
  /** Connection for slow statements. */
  db: Database
  /** Connection for pages. */
  reader: Sql & ByteReader
  /** The primary, for writes when a page is first shown, if `db` and `reader` are a replica. Default: `db`. */
  primary?: Database | undefined
  /** URL of this server for clients, for preview URLs. */
  publicUrl: () => string
  /** Metadata older than this is read again when shown, in milliseconds; null: never. */
  refreshAfterMs: number | null
}

/** Texts of tokens with consistent trait counts. */
export type CountedPage = PageRow & { counts: CountTexts }

/** Tokens of several collections: a writer of records per collection, and the line of a token, by hash. */
export type ListedTokens = SeveralTokens & { lines: ReadonlyMap<string, number> }
type SeveralTokens = { page: PageRow; writers: RecordWriter[] }

/** Reads the data of pages, and queues missing data when it is first shown. */
export type PageReader = {
  /** Throws CollectionMovedError if the page is of another block than `state`. */
  page(
    state: CollectionState,
    wanted: Exclude<Wanted, 'listed' | 'loaded'>,
    bounds: readonly unknown[],
    options: RecordOptions,
  ): Promise<CountedPage>
  /** Listed tokens of several collections by one statement; writers in order. */
  listed(requested: readonly RequestedOfOne[], options: ListedOptions): Promise<ListedTokens>
  /**
   * Tokens of several collections whose sizes are already read, grouped by collection, with writers in the same order. `documents`: result of that
   * statement, if already read.
   */
  loaded(
    requested: readonly RequestedOfOne[],
    read: { bytes: Buffer; metadata: ByteRow | null },
    options: ListedOptions,
  ): Promise<SeveralTokens>
  /** A writer of a page's records, of which the first `count` are shown: requests their previews, and refreshes old metadata. */
  writerOf(
    state: ShownCollection,
    address: Address,
    page: CountedPage,
    options: { count: number; hex: boolean },
  ): Promise<RecordWriter>
  /** The first `count` records of a page. */
  records(
    state: ShownCollection,
    address: Address,
    page: CountedPage,
    options: { count: number; hex: boolean },
  ): Promise<Records>
  /** Selected records of pages, whose rows are released once their bytes are copied. */
  picked(picked: readonly Picked[], pages: readonly PageRow[]): ListedRecords
  /** Releases a page that is not shown. */
  giveBack(page: PageRow): void
  /** Requests rarity ranks of a collection's tokens, which a page shows. */
  requestRanks(state: CollectionState): Promise<void>
}

/** Most reads of a page whose counts keep changing; the last one is shown with the counts read after it. */
const mostReads = 4

export function createPageReader(options: PageReaderOptions): PageReader {
  const { db, reader, primary, publicUrl, refreshAfterMs } = options
  const requests = createShownRequests(primary ?? db, { isBehind: primary !== undefined })
  const counts = createTraitCounts(reader)

  /** The texts of a page. */
  async function readTexts(
    wanted: Wanted,
    values: () => readonly unknown[],
    options: RecordOptions,
    { bytes, row: known }: { bytes?: Buffer; row?: ByteRow | null } = {},
  ): Promise<PageRow> {
    const { normalized, media, details = false, rarity = false, failures = false, counted } = options
    async function readRow(): Promise<ByteRow> {
      const [partition, id, ...bounds] = values()
      const sql = pageSql({ wanted, normalized, media, details, rarity, failures })
      // A page of an earlier state may show burned tokens, whose data is not refreshed.
      const before = wanted === 'read' ? null : staleBefore(refreshAfterMs)
      const [row] = await reader.bytes(sql, [partition, id, before, ...bounds])
      return row!
    }
    const row = known ?? (await readRow())
    return readPageRow(row, { wanted, normalized, media, rarity, counted, bytes }, reader.take)
  }

  function giveBack({ row, lines }: PageRow): void {
    reader.giveBack(row)
    reader.giveBack([lines.bytes])
  }

  /** A page with consistent counts for the records of each collection: both are read again if counts changed between the two statements. */
  async function readCounted(
    read: () => Promise<PageRow>,
    shownIn: (page: PageRow) => { state: ShownCollection; traits: readonly string[] }[],
  ): Promise<{ page: PageRow; counts: CountTexts[] }> {
    for (let attempt = 1; ; attempt++) {
      const page = await read()
      const found = await Promise.all(
        shownIn(page).map(async ({ state, traits }) => {
          const version = page.traitsVersionOf(state.id)
          const { version: versionNow, texts } = await counts.read(state, version, traits)
          return { texts, isLater: versionNow !== version }
        }),
      )
      if (attempt === mostReads || !found.some(({ isLater }) => isLater))
        return { page, counts: found.map(({ texts }) => texts) }
      giveBack(page)
    }
  }

  /** Requests unrequested previews of these lines, and refreshes their old metadata. */
  async function refresh(state: ShownCollection, page: PageRow, lines: Iterable<number>): Promise<void> {
    const unasked = page.unasked.filter(({ collectionId }) => collectionId === state.id)
    if (unasked.length > 0) await requests.media(state, unasked)
    if (page.stale.size === 0) return
    const tokens: { hash: string; tokenId: string }[] = []
    for (const line of lines) {
      const hash = page.hashOf(line)
      if (page.stale.has(hash)) tokens.push({ hash, tokenId: page.idOf(line) })
    }
    if (tokens.length > 0) await requests.metadata(state, tokens)
  }

  /** A writer for the records of these lines, which are of one collection. */
  async function writerOfLines(
    { state, address }: Pick<RequestedOfOne, 'state' | 'address'>,
    page: CountedPage,
    { lines, hex }: { lines: Iterable<number>; hex: boolean },
  ): Promise<RecordWriter> {
    await refresh(state, page, lines)
    return createRecordWriter(
      page,
      { address, state },
      {
        hex,
        counts: page.counts,
        publicUrl: publicUrl(),
      },
    )
  }

  const writerOf: PageReader['writerOf'] = (state, address, page, { count, hex }) =>
    writerOfLines({ state, address }, page, { lines: Array(count).keys(), hex })

  const recordsOf = (list: ByteList, page: PageRow): Records => ({
    toBuffer(before, after) {
      const bytes = list.toBuffer(before, after)
      giveBack(page)
      return bytes
    },
  })

  return {
    writerOf,
    picked: (picked, pages) => pickedRecords(picked, () => pages.forEach(giveBack)),
    giveBack,
    requestRanks: requests.ranks,

    async records(state, address, page, options) {
      return recordsOf(renderRecords(await writerOf(state, address, page, options), options.count), page)
    },

    async page(state, wanted, bounds, options) {
      const { page, counts } = await readCounted(
        () => readTexts(wanted, () => [state.partition, state.id, ...bounds], options),
        ({ slots: { traits } }) => (options.counted === false ? [] : [{ state, traits }]),
      )
      try {
        if (wanted !== 'read') await rejectMoved(reader, state, page.version, { ranked: options.rarity ?? false })
      } catch (error) {
        giveBack(page)
        throw error
      }
      return { ...page, counts: counts[0] ?? uncounted }
    },

    async listed(requested, options) {
      let lines: ReadonlyMap<string, number> = new Map()
      async function read() {
        const page = await readTexts('listed', () => listsOf(requested), options)
        lines = new Map(Array.from(page.lines.starts, (_, line) => [page.hashOf(line), line]))
        return page
      }
      const linesOf = ({ hashes }: RequestedOfOne) =>
        hashes.map((hash) => lines.get(hash)).filter((line) => line !== undefined)
      return { ...(await readSeveral(read, requested, linesOf, options)), lines }
    },

    loaded(requested, { bytes, metadata }, options) {
      let count = 0
      const lines = new Map(requested.map((one) => [one, one.hashes.map(() => count++)]))
      // Earlier results serve once: a page is read again if counts changed.
      let row = metadata
      function read() {
        const texts = readTexts('loaded', () => listsOf(requested), options, { bytes, row })
        row = null
        return texts
      }
      return readSeveral(read, requested, (one) => lines.get(one)!, options)
    },
  }

  async function readSeveral(
    read: () => Promise<PageRow>,
    requested: readonly RequestedOfOne[],
    linesOf: (one: RequestedOfOne) => readonly number[],
    { hex, counted = true }: RecordOptions,
  ): Promise<SeveralTokens> {
    const { page, counts } = await readCounted(read, (found) =>
      (counted ? requested : []).map((one) => ({
        state: one.state,
        traits: linesOf(one).flatMap((line) => traitsIn(found, line)),
      })),
    )
    const writers = await Promise.all(
      requested.map((one, i) =>
        writerOfLines(one, { ...page, counts: counts[i] ?? uncounted }, { lines: linesOf(one), hex }),
      ),
    )
    return { page, writers }
  }
}

const uncounted: CountTexts = new Map()

/** Traits whose counts a line's normalized metadata shows. */
function traitsIn({ places, slots, normalized }: PageRow, line: number): string[] {
  const place = places[line]!
  return !normalized || place < 0 ? [] : slots.traits.slice(slots.first[place]!, slots.first[place + 1]!)
}

/** Parameters of the statement on several collections: partition, collection and hash of each token. */
function listsOf(requested: readonly RequestedOfOne[]): [partitions: string, ids: string, hashes: string] {
  const partitions: number[] = []
  const ids: bigint[] = []
  for (const { state, hashes } of requested)
    for (let i = 0; i < hashes.length; i++) {
      partitions.push(state.partition)
      ids.push(state.id)
    }
  return [`{${partitions.join()}}`, `{${ids.join()}}`, `{${requested.map(({ hashes }) => hashes.join()).join()}}`]
}
