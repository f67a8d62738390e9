import type { ByteReader } from '../../db/byteRows.ts'
import type { Database, Sql } from '../../db/database.ts'
import type { ByteList } from '../../util/byteList.ts'
import type { Address } from '../../util/hex.ts'
import { askForMedia } from '../media/mediaStore.ts'
import { makeDue } from '../metadata/store/metadataStore.ts'
import type { RecordOptions, Records, ShownCollection } from '../query.ts'
import type { AskedOfOne } from './askedTokens.ts'
import { type PageRow, readPageRow } from './pageRow.ts'
import { pageSql, type Wanted } from './pageSql.ts'
import { collectionText, createRecordWriter, type RecordWriter, renderRecords } from './record.ts'
import { type CountTexts, createTraitCounts } from './traitCounts.ts'

export type PageReaderOptions = {
  db: Database
  reader: Sql & ByteReader
  /** The address at which clients reach this server, for addresses of previews. */
  publicUrl: () => string
  /** Documents older than this are read again when a page shows them, in milliseconds; null: never. */
  refreshAfterMs: number | null
}

/** Texts of tokens, and the counts of their traits of the same moment. */
export type CountedPage = PageRow & { counts: CountTexts }

/** Tokens of one collection: what writes their records, and in which line each stands, by its hash. */
export type ListedTokens = { page: CountedPage; writer: RecordWriter; lines: ReadonlyMap<string, number> }

/** Reads what pages show, with what their first showing asks for. */
export type PageReader = {
  page(
    state: ShownCollection,
    wanted: Exclude<Wanted, 'listed'>,
    bounds: readonly unknown[],
    options: RecordOptions,
  ): Promise<CountedPage>
  /** What is listed of several collections, in their order, by one statement. */
  listed(asked: readonly AskedOfOne[], options: RecordOptions): Promise<ListedTokens[]>
  /** Writes the records of a page, whose first `count` lines are shown: previews of these are made, and old documents are read again. */
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
  /** The records of pages, whose rows are given back once their bytes are copied. */
  recordsOf(list: ByteList, pages: readonly CountedPage[]): Records
}

/** How often a page is read where its counts keep changing; the last time it is shown with the counts that were read after it. */
const mostReads = 4

export function createPageReader({ db, reader, publicUrl, refreshAfterMs }: PageReaderOptions): PageReader {
  const counts = createTraitCounts(reader)
  const staleBefore = () => (refreshAfterMs === null ? null : new Date(Date.now() - refreshAfterMs))

  /** The texts of one page, or of one for each place of the lists in `values`; again as a whole where previews were not asked for yet. */
  async function readTexts(wanted: Wanted, values: readonly unknown[], options: RecordOptions): Promise<PageRow[]> {
    const { normalized, media, rarity = false } = options
    const [partition, id, ...bounds] = values
    const read = async (complete: boolean) => {
      const sql = pageSql({ wanted, normalized, media, rarity, complete })
      // A page of an earlier state may show burned tokens, of which nothing is read any more.
      const before = wanted === 'read' ? null : staleBefore()
      const rows = await reader.bytes(sql, [partition, id, before, ...bounds])
      return rows.map((row) => readPageRow(row, { lines: wanted === 'read', normalized, media, rarity }, reader.take))
    }
    const pages = await read(false)
    if (pages.every(({ complete }) => complete)) return pages
    for (const page of pages) giveBack(page)
    return read(true)
  }

  function giveBack({ row, lines }: PageRow): void {
    reader.giveBack(row)
    reader.giveBack([lines.bytes])
  }

  /** Adds the counts of the same moment; reads both again where counts changed between the two statements. */
  async function counted(
    state: ShownCollection,
    first: PageRow,
    reread: () => Promise<PageRow[]>,
  ): Promise<CountedPage> {
    let page = first
    for (let attempt = 1; ; attempt++) {
      const found = await counts.read(state, page.traitsVersion, page.slots.traits)
      if (found.version === page.traitsVersion || attempt === mostReads) return { ...page, counts: found.texts }
      giveBack(page)
      page = (await reread())[0]!
    }
  }

  /** Asks for previews that the page shows and nobody asked for, and has its old documents read again. */
  async function refresh(state: ShownCollection, page: PageRow, count: number): Promise<void> {
    if (page.unasked.length > 0) await askForMedia(reader, state, page.unasked)
    if (page.stale.size === 0) return
    const tokens: { hash: string; tokenId: string }[] = []
    for (let i = 0; i < count; i++) {
      const hash = page.hashOf(i)
      if (page.stale.has(hash)) tokens.push({ hash, tokenId: page.idOf(i) })
    }
    if (tokens.length > 0) await makeDue(db, state, tokens)
  }

  const writerOf: PageReader['writerOf'] = async (state, address, page, { count, hex }) => {
    await refresh(state, page, count)
    return createRecordWriter(page, collectionText(address, state), {
      hex,
      counts: page.counts,
      publicUrl: publicUrl(),
    })
  }

  const recordsOf: PageReader['recordsOf'] = (list, pages) => ({
    toBuffer(before, after) {
      const bytes = list.toBuffer(before, after)
      for (const page of pages) giveBack(page)
      return bytes
    },
  })

  return {
    writerOf,
    recordsOf,

    async records(state, address, page, options) {
      return recordsOf(renderRecords(await writerOf(state, address, page, options), options.count), [page])
    },

    async page(state, wanted, bounds, options) {
      const read = () => readTexts(wanted, [state.partition, state.id, ...bounds], options)
      const [page] = await read()
      return counted(state, page!, read)
    },

    async listed(asked, options) {
      const read = (of: readonly AskedOfOne[]) =>
        readTexts(
          'listed',
          [
            of.map(({ state }) => state.partition),
            of.map(({ state }) => state.id),
            of.map(({ hashes }) => `{${hashes.join()}}`),
          ],
          options,
        )
      const found = await read(asked)
      return Promise.all(
        asked.map(async (one, i) => {
          const page = await counted(one.state, found[i]!, () => read([one]))
          const count = page.lines.starts.length
          const writer = await writerOf(one.state, one.address, page, { count, hex: options.hex })
          return { page, writer, lines: new Map(Array.from({ length: count }, (_, line) => [page.hashOf(line), line])) }
        }),
      )
    },
  }
}
