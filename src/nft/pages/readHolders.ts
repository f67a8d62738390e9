import type { Sql } from '../../db/database.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import { type Address, hexToBuffer } from '../../util/hex.ts'
import type { HolderPlace, ShownCollection } from '../query.ts'

/** Who has how many pieces of a token, in decimal digits. PostgreSQL writes the texts of a record. */
const holderRow = defineRow({
  hash: column.text("encode(uuid_send(token_hash), 'hex')"),
  holder: column.text<Address>("'0x' || encode(holder, 'hex')"),
  amount: column.text('amount::text'),
})

export type Holder = RowOf<typeof holderRow>

export type HoldersAsked = {
  state: ShownCollection
  /** One token, 32 hex digits; null: all of the collection. */
  token: string | null
  /** The last holder of the page before; null on the first page. */
  after: HolderPlace | null
  limit: number
}

const highest = 'f'.repeat(32)

/**
 * Who holds the listed tokens of a collection now, or one of them: in the order of token hashes descending, then of holders. A page costs
 * the same wherever it begins, of a token that a million hold as of a million tokens with a holder each.
 */
export async function readHolders(sql: Sql, { state, token, after, limit }: HoldersAsked): Promise<Holder[]> {
  const from = { hash: after?.hash ?? token ?? highest, holder: after ? hexToBuffer(after.holder) : Buffer.alloc(0) }
  const { ofToken, ofCollection } = state.standard === 'ERC1155' ? balances : owners
  const values = [state.partition, state.id, from.hash, from.holder, limit]
  const rows = await sql.rows(token === null ? ofCollection : ofToken, values)
  return rows.map(holderRow.decode)
}

// The statements. Parameters: $1 partition, $2 collection, $3 and $4 the token and the holder after whom the page begins, or no bytes for
// the token's first holder, $5 the number of rows.

/** ERC-721: a token has one holder. A token that moved to a later address since the page before is not told again. */
const owned = (which: string) => `
SELECT ${holderRow.columns} FROM (
  SELECT t.token_hash, t.owner AS holder, t.amount FROM token t
  WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0 AND ${which}
) t ORDER BY token_hash DESC LIMIT $5`

const owners = {
  ofCollection: owned("t.token_hash <= $3 AND (t.token_hash < $3 OR $4 = ''::bytea)"),
  ofToken: owned("t.token_hash = $3 AND $4 = ''::bytea"),
}

/** ERC-1155: the holders of each token `t` after the address `after`, by one walk along the key. */
const held = (tokens: string, after: string) => `
SELECT ${holderRow.columns} FROM (${tokens}) t CROSS JOIN LATERAL (
  SELECT b.holder, b.amount FROM balance b
  WHERE b.partition = $1 AND b.collection_id = $2 AND b.token_hash = t.token_hash AND b.amount > 0 AND b.holder > ${after}
  ORDER BY b.holder LIMIT $5
) b ORDER BY token_hash DESC, holder LIMIT $5`

/**
 * Of a collection so many tokens are looked at as have the holders of a page together, beside the first one, of which nobody knows how
 * many are left. A listed token has a holder at least, as what its holders have adds up to what exists of it. So no more than three pages
 * of balances are read, in whatever order PostgreSQL reads them.
 */
const balances = {
  ofCollection: held(
    `
  SELECT s.token_hash FROM (
    SELECT t.token_hash, sum(CASE WHEN t.token_hash < $3 THEN t.holders ELSE 0 END) OVER (
        ORDER BY t.token_hash DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ) AS above
    FROM (
      SELECT t.token_hash, t.holders FROM token t
      WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0 AND t.token_hash <= $3
      ORDER BY t.token_hash DESC LIMIT $5 + 1
    ) t
  ) s WHERE coalesce(s.above, 0) < $5`,
    "CASE WHEN t.token_hash < $3 THEN ''::bytea ELSE $4 END",
  ),
  ofToken: held(
    'SELECT t.token_hash FROM token t WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0 AND t.token_hash = $3',
    '$4',
  ),
}
