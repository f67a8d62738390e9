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
import type { AskedOfOne } from './askedTokens.ts'
import { type PageRow, readPageRow } from './pageRow.ts'
import { pageSql, type Wanted } from './pageSql.ts'
import { createRecordWriter, type Picked, pickedRecords, type RecordWriter, renderRecords } from './record.ts'
import { createShownAsks, staleBefore } from './rows/shownAsks.ts'
import { refuseMoved } from './rows/standing.ts'
import { type CountTexts, createTraitCounts } from './traits/traitCounts.ts'

export type PageReaderOptions = {
  /** Where pages are read, by statements that may take long. */
  db: Database
  /** Where pages are read. */
  reader: Sql & ByteReader
  /** The primary, for writes at the first showing of a page, if `db` and `reader` are a replica's. Default: `db`. */
  primary?: Database | undefined
  /** The address at which clients reach this server, for addresses of previews. */
  publicUrl: () => string
  /** Metadata older than this is read again when a page shows them, in milliseconds; null: never. */
  refreshAfterMs: number | null
}

/** Texts of tokens, and the counts of their traits of the same moment. */
export type CountedPage = PageRow & { counts: CountTexts }

/** Tokens of several collections: what writes the records of each collection, and the line of a token, by its hash. */
export type ListedTokens = SeveralTokens & { lines: ReadonlyMap<string, number> }
type SeveralTokens = { page: PageRow; writers: RecordWriter[] }

/** Reads what pages show, and queues what they need when they are shown first. */
export type PageReader = {
  /** Throws CollectionMovedError if the page is of another block than `state`. */
  page(
    state: CollectionState,
    wanted: Exclude<Wanted, 'listed' | 'reported'>,
    bounds: readonly unknown[],
    options: RecordOptions,
  ): Promise<CountedPage>
  /** What is listed of several collections, by one statement; the writers in their order. */
  listed(asked: readonly AskedOfOne[], options: ListedOptions): Promise<ListedTokens>
  /**
   * Tokens of several collections whose bytes are already read, grouped by collection, with the writers in the same order. `documents`: the result
   * of the statement, if it is already read.
   */
  reported(
    asked: readonly AskedOfOne[],
    read: { bytes: Buffer; documents: ByteRow | null },
    options: ListedOptions,
  ): Promise<SeveralTokens>
  /** Writes the records of a page, whose first `count` lines are shown: previews of these are made, and old metadata is read again. */
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
  /** Records of pages, whose rows are given back once their bytes are copied. */
  picked(picked: readonly Picked[], pages: readonly PageRow[]): ListedRecords
  /** Of a page that is not shown. */
  giveBack(page: PageRow): void
  /** Has the tokens of a collection ranked by rarity, whose places a page shows. */
  askForRanks(state: CollectionState): Promise<void>
}

/** How often a page is read where its counts keep changing; the last time it is shown with the counts that were read after it. */
const mostReads = 4

export function createPageReader(options: PageReaderOptions): PageReader {
  const { db, reader, primary, publicUrl, refreshAfterMs } = options
  const asks = createShownAsks(primary ?? db, { isBehind: primary !== undefined })
  const counts = createTraitCounts(reader)

  /** The texts of a page; again as a whole where previews were not requested yet. */
  async function readTexts(
    wanted: Wanted,
    values: () => readonly unknown[],
    options: RecordOptions,
    { bytes, row: first }: { bytes?: Buffer; row?: ByteRow | null } = {},
  ): Promise<PageRow> {
    const { normalized, media, details = false, rarity = false, failures = false, counted } = options
    const read = async (complete: boolean, known?: ByteRow | null) => {
      const row = known ?? (await readRow(complete))
      return readPageRow(row, { wanted, normalized, media, rarity, counted, bytes }, reader.take)
    }
    async function readRow(complete: boolean): Promise<ByteRow> {
      const [partition, id, ...bounds] = values()
      const sql = pageSql({ wanted, normalized, media, details, rarity, failures, complete })
      // A page of an earlier state may show burned tokens, of which nothing is read any more.
      const before = wanted === 'read' ? null : staleBefore(refreshAfterMs)
      const [row] = await reader.bytes(sql, [partition, id, before, ...bounds])
      return row!
    }
    const page = await read(false, first)
    if (page.complete) return page
    giveBack(page)
    return read(true)
  }

  function giveBack({ row, lines }: PageRow): void {
    reader.giveBack(row)
    reader.giveBack([lines.bytes])
  }

  /**
   * A page with the counts that the records of each of its collections show, of the same moment: both are read again where counts changed
   * between the two statements.
   */
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

  /** Requests previews that these lines of the page show and nobody requested, and has their old metadata read again. */
  async function refresh(state: ShownCollection, page: PageRow, lines: Iterable<number>): Promise<void> {
    const unasked = page.unasked.filter(({ collectionId }) => collectionId === state.id)
    if (unasked.length > 0) await asks.media(state, unasked)
    if (page.stale.size === 0) return
    const tokens: { hash: string; tokenId: string }[] = []
    for (const line of lines) {
      const hash = page.hashOf(line)
      if (page.stale.has(hash)) tokens.push({ hash, tokenId: page.idOf(line) })
    }
    if (tokens.length > 0) await asks.documents(state, tokens)
  }

  /** What writes the records of these lines, which are of one collection. */
  async function writerOfLines(
    { state, address }: Pick<AskedOfOne, 'state' | 'address'>,
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
    askForRanks: asks.ranks,

    async records(state, address, page, options) {
      return recordsOf(renderRecords(await writerOf(state, address, page, options), options.count), page)
    },

    async page(state, wanted, bounds, options) {
      const { page, counts } = await readCounted(
        () => readTexts(wanted, () => [state.partition, state.id, ...bounds], options),
        ({ slots: { traits } }) => (options.counted === false ? [] : [{ state, traits }]),
      )
      try {
        if (wanted !== 'read') await refuseMoved(reader, state, page.version, { ranked: options.rarity ?? false })
      } catch (error) {
        giveBack(page)
        throw error
      }
      return { ...page, counts: counts[0] ?? uncounted }
    },

    async listed(asked, options) {
      let lines: ReadonlyMap<string, number> = new Map()
      async function read() {
        const page = await readTexts('listed', () => listsOf(asked), options)
        lines = new Map(Array.from(page.lines.starts, (_, line) => [page.hashOf(line), line]))
        return page
      }
      const linesOf = ({ hashes }: AskedOfOne) =>
        hashes.map((hash) => lines.get(hash)).filter((line) => line !== undefined)
      return { ...(await readSeveral(read, asked, linesOf, options)), lines }
    },

    reported(asked, { bytes, documents }, options) {
      let count = 0
      const lines = new Map(asked.map((one) => [one, one.hashes.map(() => count++)]))
      // What was read before serves once: a page is read again where counts changed.
      let row = documents
      function read() {
        const texts = readTexts('reported', () => listsOf(asked), options, { bytes, row })
        row = null
        return texts
      }
      return readSeveral(read, asked, (one) => lines.get(one)!, options)
    },
  }

  async function readSeveral(
    read: () => Promise<PageRow>,
    asked: readonly AskedOfOne[],
    linesOf: (one: AskedOfOne) => readonly number[],
    { hex, counted = true }: RecordOptions,
  ): Promise<SeveralTokens> {
    const { page, counts } = await readCounted(read, (found) =>
      (counted ? asked : []).map((one) => ({
        state: one.state,
        traits: linesOf(one).flatMap((line) => traitsIn(found, line)),
      })),
    )
    const writers = await Promise.all(
      asked.map((one, i) =>
        writerOfLines(one, { ...page, counts: counts[i] ?? uncounted }, { lines: linesOf(one), hex }),
      ),
    )
    return { page, writers }
  }
}

const uncounted: CountTexts = new Map()

/** The traits whose counts the normalised form of a line shows. */
function traitsIn({ places, slots, normalized }: PageRow, line: number): string[] {
  const place = places[line]!
  return !normalized || place < 0 ? [] : slots.traits.slice(slots.first[place]!, slots.first[place + 1]!)
}

/** The values of the statement on several collections: partition, collection and hash of each token. */
function listsOf(asked: readonly AskedOfOne[]): [partitions: string, ids: string, hashes: string] {
  const partitions: number[] = []
  const ids: bigint[] = []
  for (const { state, hashes } of asked)
    for (let i = 0; i < hashes.length; i++) {
      partitions.push(state.partition)
      ids.push(state.id)
    }
  return [`{${partitions.join()}}`, `{${ids.join()}}`, `{${asked.map(({ hashes }) => hashes.join()).join()}}`]
}
