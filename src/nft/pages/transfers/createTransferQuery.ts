import type { Database, Sql } from '../../../db/database.ts'
import { type ByteReader, bytesOf } from '../../../db/pipeline/byteRows.ts'
import type { OpenChains } from '../../../sync/openChains.ts'
import { partitionOf } from '../../../sync/partition.ts'
import { createByteList } from '../../../util/byteList.ts'
import { UnavailableError } from '../../../util/errors.ts'
import { smaller } from '../../../util/extremes.ts'
import { hexToBuffer } from '../../../util/hex.ts'
import { createBlockFinder } from '../../blocks/createBlockFinder.ts'
import {
  createPageTimes,
  type PageTimes,
  type TimesOfBlocks,
  type UntimedBlock,
} from '../../blocks/createBlockTimes.ts'
import type { Records } from '../../query.ts'
import type {
  TransferPage,
  TransferPageOptions,
  TransferPlace,
  TransferQuery,
  TransferRange,
  TransferSource,
} from '../../transferQuery.ts'
import { firstPositionOf } from '../../transfers/position.ts'
import { rejectMoved } from '../rows/syncPosition.ts'
import { countTransfers } from './countTransfers.ts'
import { createKnownSymbols } from './knownSymbols.ts'
import { type CollectionOfTransfers, collectionMembers, writeTransferLines } from './transferLines.ts'
import { transferPageColumns } from './transferOrder.ts'
import { filterValues, kindOf, transferSql } from './transferSql.ts'

export type TransferQueryOptions = {
  db: Database
  /** The primary, for times of blocks, if `db` is a replica. Default: `db`. */
  primary?: Database | undefined
  /** Connections for pages; default: those of `db`. */
  reader?: Sql & ByteReader
  /** Source of block times. */
  openChains: OpenChains
  /** Shared with other queries; created if omitted. */
  times?: PageTimes
}

/** Most reads of a page whose blocks reorgs change while their times are read. */
const mostReads = 4

export function createTransferQuery(options: TransferQueryOptions): TransferQuery {
  const { db, primary = db, reader = { ...db, ...bytesOf(db) }, openChains } = options
  const { times = createPageTimes({ db: primary, openChains }) } = options
  const finder = createBlockFinder({ db, openChains })

  /** A page, or its blocks whose times must be read first. `known`: times that were read meanwhile. */
  async function read(options: TransferPageOptions, known: TimesOfBlocks): Promise<TransferPage | UntimedBlock[]> {
    const { source, order, limit, hex, items = false, filter } = options
    const values = [...boundsOf(options), limit + 1, ...sourceValues(source), ...(filter ? filterValues(filter) : [])]
    const [row] = await reader.bytes(
      transferSql({ kind: kindOf(source), order, isFiltered: filter !== undefined }),
      values,
    )
    const { transfers, end, version } = transferPageColumns.read(row!)
    if (source.of === 'contract') await rejectMoved(reader, source.state, version)
    const of = collectionOf(source)
    const lines = writeTransferLines(transfers ?? nothing, { limit, hex, items, of, take: reader.take, times: known })
    const { bytes, count, last, untimed } = lines
    const place = last ?? (end ? placeOf(end.toString()) : null)
    reader.giveBack(row!)
    if (untimed.length === 0)
      return { count, last: place, records: recordsOf(bytes, lines.end, () => reader.giveBack([bytes])) }
    reader.giveBack([bytes])
    return untimed
  }

  return {
    async page(requested) {
      const options = { ...requested, range: shownRange(requested) }
      let known: TimesOfBlocks = new Map()
      for (let attempt = 1; attempt <= mostReads; attempt++) {
        const found = await read(options, known)
        if (!Array.isArray(found)) return found
        known = new Map([...known, ...(await times.transfers.fill(options.source.chainId, found))])
      }
      throw new UnavailableError('blocks of the page change faster than their times can be read; retry')
    },

    count: (source, range) => countTransfers(reader, source, shownRange({ source, range })),

    async blocksBetween(chainId, { from, to }) {
      const first = from === null ? null : await finder.firstFrom(chainId, BigInt(Math.ceil(from / 1_000)))
      const next = to === null ? undefined : await finder.firstFrom(chainId, BigInt(Math.floor(to / 1_000)) + 1n)
      return { from: first === undefined ? beyondChain : first, to: next === undefined ? null : next - 1n }
    },

    blockOf: (chainId, hash) => finder.byHash(chainId, hash),

    knownSymbols: createKnownSymbols({ reader, primary }),
  }
}

const nothing = Buffer.alloc(0)

/** A block that no chain has. */
const beyondChain = 2n ** 33n

/** Above every position. */
const farthest = 2n ** 63n - 1n

/** The range without the blocks that a wallet does not show: see `WholeWallet`. */
function shownRange({ source, range }: Pick<TransferPageOptions, 'source' | 'range'>): TransferRange {
  const last = source.of === 'wholeWallet' ? source.whole.shownAt : null
  return last === null ? range : { ...range, to: range.to === null ? last : smaller(range.to, last) }
}

/** The place before a page, and its last possible position. */
function boundsOf({ range, order, after }: TransferPageOptions): [position: bigint, item: number, bound: bigint] {
  const first = firstPositionOf(range.from ?? 0n)
  const end = range.to === null ? farthest : firstPositionOf(range.to + 1n)
  const [position, item] = after ? [BigInt(after[0]), after[1]] : order === 'ASC' ? [first, -1] : [end, 0]
  return [position, item, order === 'ASC' ? end - 1n : first]
}

function sourceValues(source: TransferSource): unknown[] {
  if (source.of === 'wallet') {
    const { chainId, wallet, only } = source
    const ofOnly = only ? [only.map(({ id }) => id), only.map(({ partition }) => partition)] : []
    return [partitionOf(chainId, wallet), chainId, hexToBuffer(wallet), ...ofOnly]
  }
  if (source.of === 'wholeWallet') {
    const { chainId, wallet, whole, contracts } = source
    return [whole.partition, whole.id, chainId, hexToBuffer(wallet), contracts?.map(hexToBuffer) ?? null]
  }
  if (source.of === 'chain') return [source.chainId, ...(source.hash ? [hexToBuffer(source.hash)] : [])]
  const { state, tokenId } = source
  return [state.partition, state.id, ...(tokenId === undefined ? [] : [tokenId])]
}

function collectionOf(source: TransferSource): CollectionOfTransfers {
  if (source.of !== 'contract') return 'row'
  const { address, state } = source
  return { text: collectionMembers(address, state), partition: state.partition, id: state.id }
}

function placeOf(text: string): TransferPlace {
  const [position, item] = text.split(' ') as [string, string]
  return [position, Number(item)]
}

/** `giveBack` is called once the bytes are copied. */
function recordsOf(records: Buffer, end: number, giveBack: () => void): Records {
  const list = createByteList()
  list.add(records, 0, end)
  return {
    toBuffer(before, after) {
      const bytes = list.toBuffer(before, after)
      giveBack()
      return bytes
    },
  }
}
