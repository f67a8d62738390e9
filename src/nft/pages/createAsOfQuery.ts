import { withinTime } from '../../db/inSnapshot.ts'
import { createByteList } from '../../util/byteList.ts'
import type { Address } from '../../util/hex.ts'
import { countAt, countHoldingsAt } from '../asOf/countAt.ts'
import { readBlockAt } from '../asOf/readBlockAt.ts'
import type { AsOf, AsOfQuery } from '../asOfQuery.ts'
import type { BlockHashes } from '../blocks/createBlockHashes.ts'
import type { CollectionState, RecordOptions, Records } from '../query.ts'
import { type Standard, standardsOf } from '../transfers/decodeTransfers.ts'
import { lastPositionOf } from '../transfers/position.ts'
import { highestHash, lowestHash, tokenHash } from '../transfers/tokenHash.ts'
import { createPageReader, type PageReaderOptions } from './createPageReader.ts'
import { type OwnerLines, ownersAsOf } from './ownersAsOf.ts'
import { fitting, isLarge, listedWidths } from './pageWidth.ts'
import { createTokenHolders } from './tokenHolders.ts'
import { type AsOfLine, tokenAsOf, walkAsOf } from './walkAsOf.ts'

/** Timeout for counting the tokens of an earlier state. */
const countingMs = 3_000

type Known = CollectionState & { standard: Standard }

/** Whether a collection may have tokens. */
const isKnown = (state: CollectionState): state is Known => state.standard !== null && state.status !== 'none'

/** Reads earlier states. `db` reads tokens: these statements are slower than those of other pages, which share the connections of `reader`. */
export function createAsOfQuery(options: PageReaderOptions & { blockHashes: BlockHashes }): AsOfQuery {
  const { db, reader, blockHashes } = options
  const pages = createPageReader(options)
  const tokenHolders = createTokenHolders(db)

  async function render(
    state: CollectionState,
    address: Address,
    lines: readonly AsOfLine[],
    written: RecordOptions,
  ): Promise<Records> {
    const bounds = [lines.map(({ hash }) => hash), lines.map(({ line }) => line)]
    const page = await pages.page(state, 'read', bounds, written)
    return pages.records(state, address, page, { count: lines.length, hex: written.hex })
  }

  /** The first lines that fit on one page. */
  async function cut(state: Known, lines: readonly AsOfLine[], written: RecordOptions): Promise<readonly AsOfLine[]> {
    if (!isLarge([{ state, tokens: lines.length }])) return lines
    const hashes = lines.map(({ hash }) => hash)
    return lines.slice(0, fitting(hashes, await listedWidths(reader, { state, hashes, unlisted: true }, written)))
  }

  /** A count by `sql`; null if it takes too long. */
  async function counted(
    text: string,
    { partition, id }: Known,
    { block }: AsOf,
    more: unknown[],
  ): Promise<number | null> {
    const values = [partition, id, lastPositionOf(block), ...more]
    const rows = await withinTime(db, countingMs, (sql) => sql.rows<[number]>(text, values))
    return rows ? rows[0]![0] : null
  }

  /** Each token of a pure ERC-721 collection has one owner, which its line shows. */
  async function ownersOf(requested: Parameters<typeof ownersAsOf>[1]): Promise<OwnerLines | 'moved'> {
    const { state, asOf, token, after, limit } = requested
    if (standardsOf(state) !== 'ERC721') return ownersAsOf(db, requested, tokenHolders)
    if (token === null) {
      const walk = await walkAsOf(db, { state, asOf, bounds: { from: lowestHash, to: after?.hash ?? null }, limit })
      if (walk === 'moved') return walk
      const lines = walk.lines.map((line) => ({ ...line, holder: null }))
      return { lines, last: walk.to === null ? null : { hash: walk.to, holder: null } }
    }
    const found = after ? undefined : await tokenAsOf(db, requested, token)
    return found === 'moved' ? found : { lines: found ? [{ ...found, holder: null }] : [], last: null }
  }

  return {
    async find(state, block) {
      const at = await readBlockAt(db, state, block)
      if (!at || at.standard !== state.standard || at.mixed !== state.mixed) return 'moved'
      if (!at.covered) return { first: 0n, last: at.toBlock }
      const hash = at.hash ?? (await blockHashes.read(state, at.chainId, block))
      return { block, hash, skipped: at.skipped }
    },

    async page({ state, address, range, after, limit, asOf, ...written }) {
      if (!isKnown(state)) return { records: createByteList(), count: 0, last: null }
      const bounds = { from: range.from ?? lowestHash, to: after ?? range.to }
      const walk = await walkAsOf(db, { state, asOf, bounds, limit })
      if (walk === 'moved') return walk
      const lines = await cut(state, walk.lines, written)
      const last = lines.length < walk.lines.length ? lines.at(-1)!.hash : walk.to
      return { records: await render(state, address, lines, written), count: lines.length, last }
    },

    async count(state, { from, to }, asOf) {
      if (!isKnown(state)) return 0
      const whole = from === null && to === null
      const part = whole ? [null, null, false] : [from ?? lowestHash, to ?? highestHash, to === null]
      return counted(countAt[standardsOf(state)], state, asOf, part)
    },

    async owners({ state, address, tokenId, after, limit, asOf, ...written }) {
      if (!isKnown(state)) return { records: createByteList(), count: 0, last: null }
      const token = tokenId === null ? null : tokenHash(address, String(tokenId))
      const found = await ownersOf({ state, asOf, token, after, limit })
      if (found === 'moved') return found
      const lines = await cut(state, found.lines, written)
      const end = found.lines[lines.length - 1]
      const last = end && lines.length < found.lines.length ? { hash: end.hash, holder: end.holder } : found.last
      return { records: await render(state, address, lines, written), count: lines.length, last }
    },

    async countOwners({ state, address, tokenId, asOf }) {
      if (!isKnown(state)) return 0
      const standards = standardsOf(state)
      if (standards !== 'ERC721' && tokenId !== null) {
        const holders = await tokenHolders({ state, asOf, token: tokenHash(address, String(tokenId)) })
        return holders === 'moved' ? null : holders.list.count
      }
      if (standards !== 'ERC721') return counted(countHoldingsAt(standards), state, asOf, [])
      if (tokenId === null) return counted(countAt.ERC721, state, asOf, [null, null, false])
      const found = await tokenAsOf(db, { state, asOf }, tokenHash(address, String(tokenId)))
      return found === 'moved' || found === undefined ? 0 : 1
    },

    async token({ state, address, tokenId, asOf, ...written }) {
      if (!isKnown(state)) return undefined
      const found = await tokenAsOf(db, { state, asOf }, tokenHash(address, String(tokenId)))
      if (found === 'moved' || found === undefined) return found
      return (await render(state, address, [found], written)).toBuffer()
    },
  }
}
