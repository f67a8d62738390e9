import { partitionCount } from '../../sync/partition.ts'
import type { TransferOrder, TransferSource } from '../transferQuery.ts'
import { positionsPerBlock } from '../transfers/position.ts'

/** Whose transfers a statement reads. */
export type TransferKind = 'contract' | 'token' | 'wallet' | 'chain' | 'blockHash'

export function kindOf(source: TransferSource): TransferKind {
  if (source.of === 'contract') return source.tokenId === undefined ? 'contract' : 'token'
  return source.of === 'chain' && source.hash !== undefined ? 'blockHash' : source.of
}

/** SQL of what depends on the order. */
const inOrder = {
  ASC: { direction: 'ASC', beyond: '>', back: '<=' },
  DESC: { direction: 'DESC', beyond: '<', back: '>=' },
} as const

/**
 * The transfers of a page and one more. Parameters: $1 and $2 the place after which the page begins, $3 the last position that it may have,
 * $4 the limit and one; then those of the source. Of a contract these are partition, id, chain and what records say of it, and the
 * token; of a wallet partition, chain and address; of a chain its id, and the hash of the block.
 */
function places(kind: TransferKind, order: TransferOrder): string {
  const { direction, beyond, back } = inOrder[order]
  const after = (row: string) =>
    `(${row}.position, ${row}.item) ${beyond} ($1::int8, $2::int4) AND ${row}.position ${back} $3::int8`
  const inPlace = (row: string) => `ORDER BY ${row}.position ${direction}, ${row}.item ${direction}`
  const sorted = (row: string) => `${inPlace(row)} LIMIT $4::int8`
  // Two transfers are at one place where one of them is of a collection that was removed, or of a block that was undone.
  const withTies = (row: string) => `${inPlace(row)} FETCH FIRST ($4::int8) ROWS WITH TIES`
  if (kind === 'contract')
    return `
  SELECT t.*, $7::int8 AS chain_id FROM transfer t
  WHERE t.partition = $5 AND t.collection_id = $6 AND ${after('t')} ${sorted('t')}`
  // The token stands in the bounds and in the order, so that the one index that leads with it is the only one that serves both: by the
  // key of the table all transfers of the contract would be read where the token seems to be a frequent one.
  if (kind === 'token')
    return `
  SELECT t.*, $7::int8 AS chain_id FROM transfer t
  WHERE t.partition = $5 AND t.collection_id = $6 AND (t.token_id, t.position, t.item) ${beyond} ($9::numeric, $1::int8, $2::int4)
    AND (t.token_id, t.position) ${back} ($9::numeric, $3::int8)
  ORDER BY t.token_id ${direction}, t.position ${direction}, t.item ${direction} LIMIT $4::int8`
  if (kind === 'wallet')
    return `
  SELECT w.position, w.item, w.collection_partition AS partition, w.collection_id, w.chain_id, t.token_id, t.from_address, t.to_address, t.amount,
    t.transaction_hash, t.transaction_index, t.operator
  FROM (
    SELECT * FROM wallet_transfer w
    WHERE w.partition = $5 AND w.chain_id = $6 AND w.wallet = $7::bytea AND ${after('w')} ${withTies('w')}
  ) w LEFT JOIN LATERAL (
    SELECT * FROM transfer t
    WHERE t.partition = w.collection_partition AND t.collection_id = w.collection_id AND t.position = w.position AND t.item = w.item
      AND $7::bytea IN (t.from_address, t.to_address)
    LIMIT 1
  ) t ON true`
  return `${chainPlaces(kind, order, `${after('t')} ${sorted('t')}`)} ${withTies('t')}`
}

/**
 * Transfers of all collections: each partition names its next blocks, as many as a page may need, and whole blocks only, as their
 * collections are in no order; the nearest of all of them are read. The block in which the page before ended is read besides, as
 * its transfers may be given already.
 */
function chainPlaces(kind: TransferKind, order: TransferOrder, own: string): string {
  const { direction, beyond, back } = inOrder[order]
  const block = `($1::int8 / ${positionsPerBlock})`
  const moved = (which: string) => `
      SELECT b.partition, b.number, b.collection_id FROM transfer_block b
      WHERE b.partition = p.partition AND b.chain_id = $5 ${kind === 'blockHash' ? 'AND b.hash = $6::bytea ' : ''}AND ${which}`
  return `
  SELECT t.*, $5::int8 AS chain_id FROM (
    SELECT n.* FROM generate_series(0, ${partitionCount - 1}) AS p (partition) CROSS JOIN LATERAL (${moved(`b.number = ${block}`)}) n
    UNION ALL (
      SELECT n.* FROM generate_series(0, ${partitionCount - 1}) AS p (partition) CROSS JOIN LATERAL (${moved(
        `b.number ${beyond} ${block} AND b.number ${back} ($3::int8 / ${positionsPerBlock})`,
      )}
        ORDER BY b.number ${direction} FETCH FIRST ($4::int8) ROWS WITH TIES
      ) n ORDER BY n.number ${direction} FETCH FIRST ($4::int8) ROWS WITH TIES
    )
  ) m CROSS JOIN LATERAL (
    SELECT * FROM transfer t
    WHERE t.partition = m.partition AND t.collection_id = m.collection_id AND t.position >= m.number * ${positionsPerBlock}
      AND t.position < (m.number + 1) * ${positionsPerBlock} AND ${own}
  ) t`
}

const address = (column: string) => `coalesce('"0x' || encode(${column}, 'hex') || '"', 'null')`
const bytes = (column: string) => `'"0x' || encode(${column}, 'hex') || '"'`

/** What a record says of the collection, where it is none that the caller knows. */
const collectionText = `'"token_address":' || ${bytes('c.address')} || ',"contract_type":"' || c.standard
    || '","verified":' || coalesce(c.verified_override, c.verified)::text || ',"possible_spam":' || coalesce(c.spam_override, c.possible_spam)::text`

/** The last second of the year 9999, as which a later time is shown: some chains count in finer units, and PostgreSQL has no such year. */
const latestSecond = 253_402_300_799

/**
 * The record of a transfer as JSON text. PostgreSQL writes it, as it writes those of tokens: it is all hex, digits and words of ours, so
 * nothing needs escaping.
 */
const record = (collection: string) => `'{"token_id":"' || t.token_id::text || '",' || ${collection}
    || ',"from_address":' || ${bytes('t.from_address')} || ',"to_address":' || ${bytes('t.to_address')}
    || ',"amount":"' || t.amount::text || '","block_number":"' || t.number::text || '","block_hash":' || ${bytes('b.hash')}
    || ',"block_timestamp":"' || to_char(to_timestamp(least(b.timestamp, ${latestSecond})) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')
    || '","transaction_hash":' || ${bytes('t.transaction_hash')} || ',"transaction_index":' || coalesce(t.transaction_index::text, 'null')
    || ',"log_index":' || (t.position % ${positionsPerBlock})::text || ',"operator":' || ${address('t.operator')} || ',"value":null}'`

/**
 * SQL of a page of transfers, all in one row. Parameters: see `places`. Columns, all of them texts:
 *
 * 1. the records, with commas between them
 * 2. how many there are
 * 3. the position and item of the last place, where more follow
 * 4. the blocks whose time is not known: a JSON list of partition, collection, number and hash; where there are some, the first column is
 *    not whole
 */
export function transferSql(kind: TransferKind, order: TransferOrder): string {
  const name = `${kind} ${order}`
  let text = known.get(name)
  if (text === undefined) {
    text = writeSql(kind, order)
    known.set(name, text)
  }
  return text
}

const known = new Map<string, string>()

function writeSql(kind: TransferKind, order: TransferOrder): string {
  const { direction } = inOrder[order]
  const sorted = (row: string) => `ORDER BY ${row}position ${direction}, ${row}item ${direction}`
  const isGiven = kind === 'contract' || kind === 'token'
  // LIMIT keeps the planner to one lookup by key for each transfer. A transfer without a collection, or of which only the wallet knows
  // still, is not shown, and must not hide the one that is at the same place.
  const told = isGiven
    ? '$8::text AS told FROM page t'
    : `c.told FROM page t
  LEFT JOIN LATERAL (
    SELECT ${collectionText} AS told FROM collection c WHERE c.partition = t.partition AND c.id = t.collection_id AND t.token_id IS NOT NULL LIMIT 1
  ) c ON true`
  const isHidden = isGiven ? '' : ', (c.told IS NULL)'
  return `
WITH page AS MATERIALIZED (${places(kind, order)}
), shown AS MATERIALIZED (
  SELECT t.*, t.position / ${positionsPerBlock} AS number, ${told}
  ${sorted('t.')}${isHidden} LIMIT $4::int8 - 1
)
SELECT string_agg(${record('t.told')}, ',' ${sorted('t.')}), count(*)::text,
  (SELECT s.position || ' ' || s.item FROM shown s WHERE (SELECT count(*) FROM page) >= $4::int8 ${sorted('s.')} OFFSET $4::int8 - 2 LIMIT 1),
  (json_agg(DISTINCT jsonb_build_array(t.partition, t.collection_id, t.number, '0x' || encode(b.hash, 'hex')))
    FILTER (WHERE b.timestamp IS NULL))::text
FROM shown t
CROSS JOIN LATERAL (
  SELECT b.hash, b.timestamp FROM transfer_block b
  WHERE b.partition = t.partition AND b.chain_id = t.chain_id AND b.number = t.number AND b.collection_id = t.collection_id LIMIT 1
) b
WHERE t.told IS NOT NULL`
}
