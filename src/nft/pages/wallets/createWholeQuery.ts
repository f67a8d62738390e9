import type { Database, Sql } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { type ByteReader, bytesOf } from '../../../db/pipeline/byteRows.ts'
import { parseMultirange } from '../../../sync/blockRange.ts'
import { headAgeColumns, headAgeOf, isOld } from '../../../sync/headAge.ts'
import type { OpenChains } from '../../../sync/openChains.ts'
import { partitionOf } from '../../../sync/partition.ts'
import { createLru } from '../../../util/createLru.ts'
import { smaller } from '../../../util/extremes.ts'
import { bufferToHex, hexToBuffer } from '../../../util/hex.ts'
import type { BlockHashes } from '../../blocks/createBlockHashes.ts'
import { createPageTimes, type PageTimes } from '../../blocks/createBlockTimes.ts'
import { unconfirmed } from '../../query.ts'
import { blockOfPosition, lastPositionOf } from '../../transfers/position.ts'
import { highestHash } from '../../transfers/tokenHash.ts'
import type { WholeFilter, WholeState, WholeWalletQuery } from '../../walletQuery.ts'
import { blocksIn, progressOf } from '../collections/state.ts'
import { staleBefore } from '../rows/shownRequests.ts'
import { createShownKnown } from './createShownKnown.ts'
import { createReceivedTimes } from './receivedTimes.ts'
import { tokensOf, wholePageIn } from './wholePage.ts'
import { beforeEnd, contractRow } from './wholeRows.ts'
import { contractsSql, countSql, tokensSql } from './wholeSql.ts'

const stateRow = defineRow({
  partition: column.int2('w.partition'),
  id: column.int8('w.id'),
  status: column.text<WholeState['status']>('w.status'),
  reason: column.text('w.reason').orNull(),
  isRequestedLongAgo: column.bool(`w.asked_at < now() - interval '1 hour'`),
  complete: column.bool('w.live_since IS NOT NULL'),
  fromBlock: column.int8('w.from_block').orNull(),
  storedTo: column.int8('w.to_block').orNull(),
  coverage: column.text('w.coverage').map(parseMultirange),
  wideLogs: column.int8('w.wide_logs'),
  transfers: column.int8('w.transfers'),
  cursor: column.int8('h.block_number').orNull(),
  cursorHash: column.bytea('h.block_hash').map(bufferToHex).orNull(),
  headBlock: column.int8('h.head_number').orNull(),
  contradicted: column.bool('coalesce(h.contradicted, false)'),
  chainFailure: column.text('h.failure').orNull(),
  /** The first missing transfer in the wallet tables of collections that only they show. Citus rejects it with a column of `w`. */
  firstDue: column
    .int8(
      `(SELECT min(d.from_position) FROM collection c JOIN wallet_due d ON d.partition = c.partition AND d.collection_id = c.id
    WHERE c.chain_id = $2 AND c.unindexed AND c.status = 'live')`,
    )
    .orNull(),
  ...headAgeColumns('h'),
})

const selectState = `
SELECT ${stateRow.columns} FROM wallet w LEFT JOIN chain h ON h.id = w.chain_id
WHERE w.partition = $1 AND w.chain_id = $2 AND w.address = $3 AND w.status <> 'removed'`

/** Remembered pages, 100 bytes each. */
const mostNoted = 50_000

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
  const showKnown = createShownKnown(primary)
  /** Pages whose contracts and tokens were passed to `showKnown`, by mark: many wallets have more tokens than it remembers. */
  const noted = createLru<string, true>(mostNoted)
  const keyOf = ({ chainId, wallet, of }: Pick<WholeFilter, 'chainId' | 'wallet' | 'of'>) => [
    ...[of.partition, of.id, chainId, hexToBuffer(wallet)],
  ]

  return {
    async state(chainId, wallet) {
      const [row] = await reader.rows(selectState, [partitionOf(chainId, wallet), chainId, hexToBuffer(wallet)])
      return row && stateOf(stateRow.decode(row))
    },

    async tokens(filter, after, { limit, order, acquired, metadata }) {
      const { of, contracts, wallet } = filter
      const spam = spamOf(filter)
      const filtered = contracts !== null || spam !== null
      const place = [after ? hexToBuffer(after.contract) : topContract, after?.hash ?? highestHash]
      const wanted = [contracts?.map(hexToBuffer) ?? null, spam, lastOf(filter)]
      const received = acquired || order === 'acquired'
      const last = [after?.received ?? topPosition, staleBefore(refreshAfterMs)]
      const values = [...keyOf(filter), ...place, limit + 1, ...wanted, ...last]
      const text = tokensSql({
        complete: of.complete,
        filtered,
        asOf: filter.asOf !== null,
        order,
        received,
        metadata,
      })
      const [row] = await reader.bytes(text, values)
      const page = wholePageIn(row!, order)
      const tokens = acquired ? await timed(filter, page.tokens) : page.tokens
      const { known, ...found } = tokensOf({ ...page, tokens }, wallet, { limit, order, acquired })
      const name = `${filter.chainId} ${found.mark}`
      if (!noted.get(name)) {
        await showKnown(filter.chainId, known())
        noted.set(name, true)
      }
      return found
    },

    async collections(filter, after, { limit, order }) {
      const place = after ? hexToBuffer(after.contract) : topContract
      const wanted = [limit + 1, spamOf(filter), lastOf(filter), after?.received ?? topPosition]
      const text = contractsSql({ complete: filter.of.complete, asOf: filter.asOf !== null, order })
      const rows = await reader.rows(text, [...keyOf(filter), place, ...wanted])
      const { found, end } = beforeEnd(rows.map(contractRow.decode))
      const shown = found.slice(0, limit)
      const known = shown.filter(({ isKnown }) => isKnown)
      await showKnown(
        filter.chainId,
        known.map(({ id, address, standard }) => ({ id, address, standard, tokens: [] })),
      )
      const last = found.length > limit ? shown.at(-1) : end
      return {
        collections: shown.map(
          ({ isKnown: _, isEnd: __, receivedPosition: ___, id: ____, ...collection }) => collection,
        ),
        next: last
          ? { contract: last.address, ...(order === 'acquired' && { received: String(last.receivedPosition) }) }
          : null,
      }
    },

    async firstTokens(filter) {
      const { of, contracts, wallet } = filter
      if (contracts.length === 0) return []
      const values = [
        ...[...keyOf(filter), topContract, highestHash, contracts.length, contracts.map(hexToBuffer)],
        ...[null, null, topPosition, null],
      ]
      const text = tokensSql({
        complete: of.complete,
        filtered: true,
        asOf: false,
        order: 'contract',
        received: false,
        first: true,
        metadata: null,
      })
      const [row] = await reader.bytes(text, values)
      const page = wholePageIn(row!, 'contract')
      return tokensOf(page, wallet, { limit: contracts.length, order: 'contract', acquired: false }).held
    },

    async count(filter) {
      const contracts = filter.contracts?.map(hexToBuffer) ?? null
      const values = [...keyOf(filter), contracts, spamOf(filter), lastOf(filter)]
      const [row] = await db.rows<[bigint, bigint]>(countSql(filter.of.complete, filter.asOf !== null), values)
      return { tokens: Number(row![0]), collections: Number(row![1]) }
    },

    async blockHash({ id }, chainId, number) {
      const [known] = await db.rows<[Buffer]>('SELECT hash FROM block WHERE chain_id = $1 AND number = $2', [
        ...[chainId, number],
      ])
      return known ? bufferToHex(known[0]) : blockHashes.read({ epoch: 'wallet', id }, chainId, number)
    },
  }
}

/** Above every position. */
const topPosition = 2n ** 63n - 1n

const spamOf = ({ excludeSpam, onlySpam }: Pick<WholeFilter, 'excludeSpam' | 'onlySpam'>) =>
  onlySpam ? true : excludeSpam ? false : null

const lastOf = ({ asOf }: Pick<WholeFilter, 'asOf'>) => (asOf === null ? null : lastPositionOf(asOf))

function stateOf(row: ReturnType<typeof stateRow.decode>): WholeState {
  const {
    storedTo,
    coverage,
    cursor,
    cursorHash,
    contradicted,
    chainFailure,
    confirmedAt,
    askedAt,
    firstDue,
    ...others
  } = row
  const { maxHeadAgeMs, ...state } = others
  const head = headAgeOf(row)
  const isLive = state.status === 'live'
  const reached = firstDue === null ? null : blockOfPosition(firstDue) - 1n
  const covered = isLive ? cursor : storedTo
  const toBlock = covered !== null && reached !== null ? smaller(covered, reached) : covered
  const { headBlock } = state
  const doubtful = contradicted || isOld(head)
  const synced = isLive && !doubtful && toBlock !== null && headBlock !== null && toBlock >= headBlock
  const reason = state.reason ?? chainFailure ?? (isLive && doubtful ? unconfirmed(maxHeadAgeMs) : null)
  return {
    ...state,
    ...{ head, toBlock, synced },
    reason: synced ? null : reason,
    progress: synced ? 1 : progressOf(0n, headBlock, isLive ? (toBlock ?? 0n) + 1n : blocksIn(coverage)),
    block: isLive && cursor !== null && cursorHash !== null ? { number: cursor, hash: cursorHash } : null,
  }
}
