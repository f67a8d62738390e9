import type { Sql } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { rowKeys } from '../../../db/rowKeys.ts'
import { bufferToHex } from '../../../util/hex.ts'
import { tokenFactsOf } from '../../transfers/tokenFacts.ts'
import type { CoveredCollection, WalletCollections, WalletFilter, WalletHolding } from '../../walletQuery.ts'
import { bytesOfToken } from '../rows/tokenLines.ts'
import { isSpam, mostSeen, ofWallet, type SpamWanted, spamWanted, walletKey, whereSpam } from './walletTokens.ts'

const row = defineRow({
  stop: column.int8('s.stop').orNull(),
  id: column.int8('p.collection_id').orNull(),
  address: column.bytea('p.address').map(bufferToHex).orNull(),
  standard: column.text<'ERC721' | 'ERC1155'>('p.standard').orNull(),
  name: column.text('p.name').orNull(),
  symbol: column.text('p.symbol').orNull(),
  possibleSpam: column.bool('p.possible_spam').orNull(),
  verified: column.bool('p.verified').orNull(),
  tokens: column.int8('p.tokens').orNull(),
})

/** Collections are joined with the scanned wallet rows, as on a cluster they are on other nodes. */
const ofSeen = 'c.partition = w.collection_partition AND c.id = w.collection_id'

/** The last scanned collection, if the page is not full although the scan limit was reached. */
const stop = (most: string) => `CASE WHEN (SELECT count(*) FROM page) < $5
  THEN (SELECT min(s.collection_id) FROM seen s HAVING count(*) = ${most}) END`

const walkSql = (most: string, spam: SpamWanted) => `
WITH seen AS MATERIALIZED (
  SELECT w.collection_id, w.collection_partition, w.tokens FROM wallet_collection w
  WHERE ${ofWallet('w')} AND w.collection_id < $4 ORDER BY w.collection_id DESC LIMIT ${most}
), page AS MATERIALIZED (
  SELECT w.collection_id, w.tokens, c.address, c.standard, c.name, c.symbol, ${isSpam} AS possible_spam,
    coalesce(c.verified_override, c.verified) AS verified
  FROM seen w JOIN collection c ON ${ofSeen} ${whereSpam[spam]}
  ORDER BY w.collection_id DESC LIMIT $5
)
SELECT ${row.columns} FROM (SELECT ${stop(most)} AS stop) s LEFT JOIN page p ON true
ORDER BY p.collection_id DESC`

const walks: Record<SpamWanted, string> = {
  all: walkSql(`least($5::int8, ${mostSeen})`, 'all'),
  none: walkSql(String(mostSeen), 'none'),
  only: walkSql(String(mostSeen), 'only'),
}

/** Above every collection id. */
const top = '9223372036854775807'

/** Collections of a page, last requested first. Omits collections that were removed meanwhile. */
export async function readWalletCollections(
  sql: Sql,
  filter: Omit<WalletFilter, 'only'>,
  after: string | null,
  limit: number,
): Promise<WalletCollections> {
  const values = [...walletKey(filter), after ?? top, limit + 1]
  const found = (await sql.rows(walks[spamWanted(filter)], values)).map(row.decode)
  const shown = found.filter(({ id }) => id !== null).slice(0, limit)
  const more = found.length > limit
  const stop = found[0]?.stop ?? null
  return {
    collections: shown.map(({ address, possibleSpam, verified, tokens, standard, name, symbol }) => ({
      ...{ address: address!, standard, name, symbol },
      ...{ possibleSpam: possibleSpam!, verified: verified!, tokens: tokens! },
    })),
    next: more ? String(shown.at(-1)!.id) : stop === null ? null : String(stop),
  }
}

const countSql = (only: boolean, spam: SpamWanted) => `
WITH w AS MATERIALIZED (
  SELECT w.collection_id, w.collection_partition, w.tokens FROM wallet_collection w
  WHERE ${ofWallet('w')} ${only ? 'AND w.collection_id = ANY ($4::int8[])' : ''}
)
SELECT coalesce(sum(w.tokens), 0)::int8, count(*) FROM w JOIN collection c ON ${ofSeen} ${whereSpam[spam]}`

/** Counts a wallet's tokens and their collections, reading two rows per collection. Removed collections do not count. */
export async function countWallet(sql: Sql, filter: WalletFilter): Promise<{ tokens: number; collections: number }> {
  const { only } = filter
  const values = [...walletKey(filter), ...(only ? [only] : [])]
  const [counts] = await sql.rows<[bigint, bigint]>(countSql(only !== null, spamWanted(filter)), values)
  return { tokens: Number(counts![0]), collections: Number(counts![1]) }
}

/** Most tokens of a collection whose amounts are summed. */
const mostAdded = 100_000

const holdingRow = defineRow({
  id: column.int8('k.id'),
  hash: column.text("encode(uuid_send(k.token_hash), 'hex')"),
  bytes: column
    .bytea(
      bytesOfToken(
        'coalesce(t.erc1155, false)',
        'k.token_hash',
        '$3',
        `coalesce(k.facts, ${tokenFactsOf('k.amount')})`,
      ),
    )
    .orNull(),
  totalAmount: column.text(`CASE WHEN k.tokens <= ${mostAdded} THEN k.total_amount::text END`).orNull(),
})

const ofOne = 't.collection_id = a.id'

const selectHoldings = `
WITH held AS MATERIALIZED (
  SELECT a.partition, a.id, f.*, s.* FROM ${rowKeys.unnest(4, 'a')}
  CROSS JOIN LATERAL (
    SELECT t.token_hash, t.amount, t.facts FROM wallet_token t WHERE ${ofWallet('t')} AND ${ofOne} ORDER BY t.token_hash DESC LIMIT 1
  ) f
  CROSS JOIN LATERAL (
    SELECT count(*) AS tokens, sum(t.amount) AS total_amount FROM (
      SELECT t.amount FROM wallet_token t WHERE ${ofWallet('t')} AND ${ofOne} LIMIT ${mostAdded + 1}
    ) t
  ) s
)
SELECT ${holdingRow.columns} FROM held k JOIN collection c ON c.partition = k.partition AND c.id = k.id
LEFT JOIN token t ON t.partition = c.partition AND t.collection_id = c.id
  AND t.token_hash = CASE WHEN k.facts IS NULL THEN k.token_hash END AND t.amount > 0`

/** Holdings of a wallet in some collections. */
export async function readWalletHoldings(
  sql: Sql,
  wallet: Pick<WalletFilter, 'chainId' | 'wallet'>,
  collections: readonly CoveredCollection[],
): Promise<Map<bigint, WalletHolding>> {
  if (collections.length === 0) return new Map()
  const rows = (await sql.rows(selectHoldings, [...walletKey(wallet), ...rowKeys.lists(collections)])).map(
    holdingRow.decode,
  )
  return new Map(rows.map(({ id, ...holding }) => [id, holding]))
}
