import type { Sql } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { databaseEpoch } from '../../db/epoch.ts'
import { partitionOf } from '../../sync/partition.ts'
import { bufferToHex, hexToBuffer } from '../../util/hex.ts'
import type { HeldToken, ShownCollection } from '../query.ts'
import type { WalletFilter, WalletPlace, WalletTokens } from '../walletQuery.ts'

/**
 * Most collections of a wallet that one page looks at where it may leave some out: a wallet with tokens of 50,000 collections of spam is
 * walked in pages that each end in time.
 */
export const mostSeen = 1_000

/** The rows of a table that are the wallet's: $1 partition, $2 chain, $3 address. */
export const ofWallet = (row: string) => `${row}.partition = $1 AND ${row}.chain_id = $2 AND ${row}.wallet = $3`

/** The first values of each statement on a wallet. */
export const walletKey = ({ chainId, wallet }: Pick<WalletFilter, 'chainId' | 'wallet'>) => [
  partitionOf(chainId, wallet),
  chainId,
  hexToBuffer(wallet),
]

/** The collection of a row of `wallet_collection`. LIMIT keeps the planner to one lookup by key for each. */
export const collectionOf = (row: string) => `LATERAL (
  SELECT * FROM collection c WHERE c.partition = ${row}.collection_partition AND c.id = ${row}.collection_id LIMIT 1
) c`

export const isSpam = 'coalesce(c.spam_override, c.possible_spam)'

const row = defineRow({
  stop: column.int8('s.stop').orNull(),
  hashes: column.text('p.hashes').orNull(),
  amounts: column.text('p.amounts').orNull(),
  collectionId: column.int8('p.collection_id').orNull(),
  epoch: column.text(`(SELECT ${databaseEpoch})`),
  partition: column.int2('c.partition').orNull(),
  address: column.bytea('c.address').map(bufferToHex).orNull(),
  version: column.int8('c.version').orNull(),
  standard: column.text<'ERC721' | 'ERC1155'>('c.standard').orNull(),
  name: column.text('c.name').orNull(),
  symbol: column.text('c.symbol').orNull(),
  metadataLongest: column.int4('c.metadata_longest').orNull(),
  possibleSpam: column.bool(isSpam).orNull(),
  verified: column.bool('coalesce(c.verified_override, c.verified)').orNull(),
})

/** $4 and $5: the collection and the token before the first one wanted. */
const below = (token: string) => `(${token}.collection_id, ${token}.token_hash) < ($4, $5::uuid)`

const wholeWallet = `
page AS MATERIALIZED (
  SELECT t.collection_id, t.token_hash, t.amount FROM wallet_token t WHERE ${ofWallet('t')} AND ${below('t')}
  ORDER BY t.collection_id DESC, t.token_hash DESC LIMIT $6
)`

const seen = (only: boolean) => `(
  SELECT w.collection_id, w.collection_partition FROM wallet_collection w
  WHERE ${ofWallet('w')} AND w.collection_id <= $4 ${only ? 'AND w.collection_id = ANY ($7::int8[])' : ''}
  ORDER BY w.collection_id DESC LIMIT ${mostSeen}
)`

/** The tokens of some collections: one after the other is looked at, and of one that is left out no token is read. */
const ofCollections = ({ only, excludeSpam }: Choice) => `
page AS MATERIALIZED (
  SELECT t.* FROM ${seen(only)} w CROSS JOIN ${collectionOf('w')} CROSS JOIN LATERAL (
    SELECT t.collection_id, t.token_hash, t.amount FROM wallet_token t
    WHERE ${ofWallet('t')} AND t.collection_id = w.collection_id AND ${below('t')} ORDER BY t.token_hash DESC LIMIT $6
  ) t
  ${excludeSpam ? `WHERE NOT ${isSpam}` : ''}
  ORDER BY w.collection_id DESC, t.token_hash DESC LIMIT $6
)`

/**
 * SQL for the last of the collections that a page looked at, where others may follow: a page that is not full looked at all of `seen`. NULL
 * where the page is full, or nothing follows.
 */
export const stopOf = (seen: string, limit: string) => `CASE WHEN (SELECT count(*) FROM page) < ${limit}
  THEN (SELECT min(s.collection_id) FROM ${seen} s HAVING count(*) = ${mostSeen}) END`

type Choice = { only: boolean; excludeSpam: boolean }

/** A row for each collection, with its tokens as texts; one row without any where the page is empty. */
function walkSql(choice: Choice): string {
  const whole = !choice.only && !choice.excludeSpam
  return `
WITH ${whole ? wholeWallet : ofCollections(choice)}
SELECT ${row.columns} FROM (SELECT ${whole ? 'NULL::int8' : stopOf(seen(choice.only), '$6')} AS stop) s
LEFT JOIN (
  SELECT collection_id, string_agg(encode(uuid_send(token_hash), 'hex'), ',' ORDER BY token_hash DESC) AS hashes,
    string_agg(amount::text, ',' ORDER BY token_hash DESC) AS amounts
  FROM page GROUP BY collection_id
) p ON true
LEFT JOIN LATERAL (
  SELECT * FROM wallet_collection w WHERE ${ofWallet('w')} AND w.collection_id = p.collection_id LIMIT 1
) w ON true
LEFT JOIN ${collectionOf('w')} ON true
ORDER BY p.collection_id DESC`
}

const sqlOf = (only: boolean) => [walkSql({ only, excludeSpam: false }), walkSql({ only, excludeSpam: true })] as const
const ofAll = sqlOf(false)
const ofOnly = sqlOf(true)

/** Above the id of every collection. */
const top = { collection: '9223372036854775807', hash: 'ffffffffffffffffffffffffffffffff' }

/** Sorts below the hash of every token, so that nothing of the collection follows. */
const lowestHash = '00000000000000000000000000000000'

/** Reads which tokens are on a page. Those of collections that were removed meanwhile are left out. */
export async function readWalletTokens(
  sql: Sql,
  filter: WalletFilter,
  after: WalletPlace | null,
  limit: number,
): Promise<WalletTokens> {
  const { only, excludeSpam, wallet } = filter
  const from = after ?? top
  const values = [...walletKey(filter), from.collection, from.hash, limit + 1, ...(only ? [only] : [])]
  const found = (await sql.rows((only ? ofOnly : ofAll)[Number(excludeSpam)]!, values)).map(row.decode)
  const tokens: HeldToken[] = []
  const marks: string[] = []
  let walked = 0
  let last: WalletPlace | null = null
  for (const { hashes, amounts, collectionId, address, version, ...collection } of found) {
    if (hashes === null || amounts === null || collectionId === null) continue
    const all = hashes.split(',')
    const shown = all.slice(0, limit - walked)
    walked += all.length
    if (shown.length > 0) last = { collection: String(collectionId), hash: shown.at(-1)! }
    if (address === null) continue
    const { standard, name, symbol, epoch } = collection
    const state: ShownCollection = {
      ...{ epoch, id: collectionId, standard, name, symbol },
      partition: collection.partition!,
      metadataLongest: collection.metadataLongest!,
      possibleSpam: collection.possibleSpam!,
      verified: collection.verified!,
    }
    const held = amounts.split(',')
    for (const [i, hash] of shown.entries()) tokens.push({ state, address, hash, holder: wallet, amount: held[i]! })
    marks.push(`${epoch}.${collectionId}.${version} ${hashes} ${amounts}`)
  }
  const stop = found[0]?.stop ?? null
  const next = walked > limit ? last : stop === null ? null : { collection: String(stop), hash: lowestHash }
  return { tokens, mark: marks.join(), next }
}
