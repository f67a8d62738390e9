import type { Sql } from '../../db/database.ts'
import { type Address, hexToBuffer } from '../../util/hex.ts'
import type { HolderPlace, ShownCollection } from '../query.ts'
import { highestHash } from '../transfers/tokenHash.ts'

/** Who has how many pieces of a token, 32 hex digits; the amount in decimal digits. */
export type Holder = { hash: string; holder: Address; amount: string }

export type HoldersAsked = {
  state: ShownCollection
  /** One token, 32 hex digits; null: all of an ERC-1155. */
  token: string | null
  /** The last holder of the page before; null on the first page. */
  after: HolderPlace | null
  limit: number
}

/** Below and above all addresses. */
const first = Buffer.alloc(0)
const last = Buffer.alloc(21, 0xff)

/** After which address the holders of the first token of a page begin; null: on the first page of holders. */
export function holdersAfter(after: HolderPlace | null): Buffer {
  return after ? (after.holder ? hexToBuffer(after.holder) : last) : first
}

/**
 * SQL of the holders `h`, with the columns token_hash, holder and amount, in one text in the order of a page: decoding 300 values takes this
 * process longer than cutting it up, which `parseHolders` does.
 */
export const holdersText = `string_agg(encode(uuid_send(h.token_hash), 'hex') || ' 0x' || encode(h.holder, 'hex') || ' ' || h.amount::text, ','
  ORDER BY h.token_hash DESC, h.holder)`

export function parseHolders(text: string | null | undefined): Holder[] {
  const entries = text?.split(',') ?? []
  return entries.map((entry) => {
    const [hash, holder, amount] = entry.split(' ') as [string, Address, string]
    return { hash, holder, amount }
  })
}

/**
 * Who holds a token now, or the listed tokens of an ERC-1155: in the order of token hashes descending, then of holders. A page costs
 * the same wherever it begins, of a token that a million hold as of a million tokens with a holder each.
 */
export async function readHolders(sql: Sql, { state, token, after, limit }: HoldersAsked): Promise<Holder[]> {
  const values = [state.partition, state.id, after?.hash ?? token ?? highestHash, holdersAfter(after), limit]
  const statement = token === null ? heldOfAll : state.standard === 'ERC1155' ? heldOfOne : owned
  const [row] = await sql.rows<[string | null]>(statement, values)
  return parseHolders(row?.[0])
}

// The statements. Parameters: $1 partition, $2 collection, $3 and $4 the token and the holder after whom the page begins, $5 the number of
// holders.

const oneText = (rows: string) => `SELECT ${holdersText} FROM (${rows}) h`

/** ERC-721: a token has one holder. */
const owned = oneText(`
SELECT t.token_hash, t.owner AS holder, t.amount FROM token t
WHERE t.partition = $1 AND t.collection_id = $2 AND t.token_hash = $3 AND t.amount > 0 AND t.owner > $4 LIMIT $5`)

/** ERC-1155: the holders of each token `t` after the address `after`, by one walk along the key. */
const held = (tokens: string, after: string) =>
  oneText(`
SELECT t.token_hash, b.holder, b.amount FROM (${tokens}) t CROSS JOIN LATERAL (
  SELECT b.holder, b.amount FROM balance b
  WHERE b.partition = $1 AND b.collection_id = $2 AND b.token_hash = t.token_hash AND b.amount > 0 AND b.holder > ${after}
  ORDER BY b.holder LIMIT $5
) b ORDER BY token_hash DESC, holder LIMIT $5`)

/**
 * So many tokens are looked at as have the holders of a page together, beside the first one, of which nobody knows how many are left. A
 * listed token has a holder at least, as what its holders have adds up to what exists of it. So no more than three pages of balances are
 * read, in whatever order PostgreSQL reads them.
 */
const heldOfAll = held(
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
)

const heldOfOne = held(
  'SELECT t.token_hash FROM token t WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0 AND t.token_hash = $3',
  '$4',
)
