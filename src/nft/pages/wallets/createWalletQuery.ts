import type { Database, Sql } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { type ByteReader, bytesOf } from '../../../db/pipeline/byteRows.ts'
import { rowKeys } from '../../../db/rowKeys.ts'
import { headAgeColumns, headAgeOf, isOld } from '../../../sync/headAge.ts'
import { type Hex, hexToBuffer } from '../../../util/hex.ts'
import { shareNext } from '../../../util/shareCalls.ts'
import { blockOfPosition } from '../../transfers/position.ts'
import type { CoveredCollection, WalletQuery, WalletState } from '../../walletQuery.ts'
import { readWalletCoverage } from '../../wallets/readWalletCoverage.ts'
import { staleBefore } from '../rows/shownRequests.ts'
import { countWallet, readWalletCollections, readWalletHoldings } from './walletCollections.ts'
import { readWalletTokens } from './walletTokens.ts'

const chainRow = defineRow({
  headBlock: column.int8('h.head_number').orNull(),
  contradicted: column.bool('coalesce(h.contradicted, false)'),
  /** Requested collections are not completely read. */
  unread: column.bool(
    `EXISTS (SELECT 1 FROM collection c WHERE c.chain_id = $1 AND c.status IN ('queued', 'syncing', 'failed') LIMIT 1)`,
  ),
  ...headAgeColumns('h'),
})

/** For an unopened chain, all its columns are null. */
const selectChain = `SELECT ${chainRow.columns} FROM (SELECT $1::int8 AS id) a LEFT JOIN chain h ON h.id = a.id`

const selectReached = `
SELECT min(d.from_position) FROM ${rowKeys.unnest(1, 'a')}
JOIN wallet_due d ON d.partition = a.partition AND d.collection_id = a.id
WHERE d.partition = ANY($1::int2[])`

/** A deleted block is final, unless the chain went back below it. */
const selectFollowed = `
SELECT coalesce(
  (SELECT b.hash = $3 FROM block b WHERE b.chain_id = $1 AND b.number = $2),
  (SELECT h.block_number >= $2 FROM chain h WHERE h.id = $1),
  false)`

export type WalletQueryOptions = {
  db: Database
  /** Connections for pages; default: those of `db`. */
  reader?: Sql & ByteReader
  /** Metadata older than this is read again when shown, in milliseconds; null: never. */
  refreshAfterMs?: number | null
}

export function createWalletQuery(options: WalletQueryOptions): WalletQuery {
  const { db, reader = { ...db, ...bytesOf(db) }, refreshAfterMs = null } = options
  // Queried for every page, usually for the same block.
  const isFollowed = shareNext(async (block) => {
    const [chainId, number, hash] = block.split(' ') as [string, string, Hex]
    const [row] = await reader.rows<[boolean]>(selectFollowed, [chainId, number, hexToBuffer(hash)])
    return row![0]
  })
  return {
    state: (chainId) => readWalletState(db, chainId),
    isFollowed: (chainId, { number, hash }) => isFollowed(`${chainId} ${number} ${hash}`),
    async reached(collections: readonly CoveredCollection[]) {
      const [found] = await reader.rows<[bigint | null]>(selectReached, rowKeys.lists(collections))
      const position = found?.[0] ?? null
      return position === null ? null : blockOfPosition(position) - 1n
    },
    tokens: (filter, after, page) =>
      readWalletTokens(reader, filter, after, { ...page, staleBefore: staleBefore(refreshAfterMs) }),
    collections: (filter, after, limit) => readWalletCollections(reader, filter, after, limit),
    holdings: (wallet, collections) => readWalletHoldings(reader, wallet, collections),
    // May be slow, which would delay later pages on its connection.
    count: (filter) => countWallet(db, filter),
  }
}

async function readWalletState(sql: Sql, chainId: bigint): Promise<WalletState> {
  // The head first: the position of the tables is compared with an earlier head.
  const [found] = await sql.rows(selectChain, [chainId])
  const coverage = await readWalletCoverage(sql, chainId)
  const { headBlock, contradicted, unread, ...age } = chainRow.decode(found!)
  // Without collections nothing is missing, however old the head is: nobody follows such a chain.
  if (coverage.collections === 0) return { ...coverage, headBlock: null, head: null, synced: !unread }
  const head = headAgeOf(age)
  const reached = headBlock !== null && coverage.toBlock !== null && coverage.toBlock >= headBlock
  return { ...coverage, headBlock, head, synced: reached && !unread && !contradicted && !isOld(head) }
}
