import type { Database, Sql } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { headAgeColumns, headAgeOf, isOld } from '../../sync/headAge.ts'
import { blockOfPosition } from '../transfers/position.ts'
import type { CoveredCollection, WalletQuery, WalletState } from '../walletQuery.ts'
import { readWalletCoverage } from '../wallets/readWalletCoverage.ts'
import { countWallet, readWalletCollections } from './walletCollections.ts'
import { readWalletTokens } from './walletTokens.ts'

const chainRow = defineRow({
  headBlock: column.int8('h.head_number'),
  contradicted: column.bool('h.contradicted'),
  /** Collections are asked for whose reading is not done. */
  unread: column.bool(
    `EXISTS (SELECT 1 FROM collection c WHERE c.chain_id = h.id AND c.status IN ('queued', 'syncing') LIMIT 1)`,
  ),
  ...headAgeColumns('h'),
})

const selectChain = `SELECT ${chainRow.columns} FROM chain h WHERE h.id = $1`

const selectReached = `
SELECT min(d.from_position) FROM unnest($1::int2[], $2::int8[]) AS a (partition, id)
CROSS JOIN LATERAL (
  SELECT min(d.from_position) AS from_position FROM wallet_due d WHERE d.partition = a.partition AND d.collection_id = a.id
) d`

/** `reader`: the connections that pages are read with; those of `db` where none are given. */
export function createWalletQuery({ db, reader = db }: { db: Database; reader?: Sql }): WalletQuery {
  return {
    state: (chainId) => readWalletState(db, chainId),
    async reached(collections: readonly CoveredCollection[]) {
      const values = [collections.map(({ partition }) => partition), collections.map(({ id }) => id)]
      const [found] = await reader.rows<[bigint | null]>(selectReached, values)
      const position = found?.[0] ?? null
      return position === null ? null : blockOfPosition(position) - 1n
    },
    tokens: (filter, after, limit) => readWalletTokens(reader, filter, after, limit),
    collections: (filter, after, limit) => readWalletCollections(reader, filter, after, limit),
    // May take long, which would hold back the pages behind it on its connection.
    count: (filter) => countWallet(db, filter),
  }
}

async function readWalletState(sql: Sql, chainId: bigint): Promise<WalletState> {
  // The head first: what the tables have reached is held against a head that was seen before.
  const [found] = await sql.rows(selectChain, [chainId])
  const coverage = await readWalletCoverage(sql, chainId)
  if (!found) return { ...coverage, headBlock: null, head: null, synced: false }
  const { headBlock, contradicted, unread, ...age } = chainRow.decode(found)
  const head = headAgeOf(age)
  const reached = coverage.toBlock !== null && coverage.toBlock >= headBlock
  return { ...coverage, headBlock, head, synced: reached && !unread && !contradicted && !isOld(head) }
}
