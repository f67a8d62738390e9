import type { Sql } from '../../../db/database.ts'
import { type Address, hexToBuffer } from '../../../util/hex.ts'
import type { CollectionState, HolderPlace } from '../../query.ts'
import { highestHash } from '../../transfers/tokenHash.ts'
import { versionOf } from './syncPosition.ts'
import { tokenColumns } from './tokenLines.ts'

/** A holder's amount of a token (32 hex digits), in decimal. */
export type Holder = { hash: string; holder: Address; amount: string }

export type HoldersRequest = {
  state: CollectionState
  /** One token, 32 hex digits; null: all, if there are ERC-1155 tokens. */
  token: string | null
  /** The last holder of the previous page; null on the first page. */
  after: HolderPlace | null
  limit: number
}

/** Below and above all addresses. */
const first = Buffer.alloc(0)
const last = Buffer.alloc(21, 0xff)

/** Address before the holders of a page's first token; null: the first page of holders. */
export function holdersAfter(after: HolderPlace | null): Buffer {
  return after ? (after.holder ? hexToBuffer(after.holder) : last) : first
}

/**
 * SQL of the holders `h`, with columns token_hash, holder and amount, as one text in page order: decoding 300 values takes longer than splitting it,
 * which `parseHolders` does.
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
 * Holders of a token, or of the listed tokens of an ERC-1155, by token hash descending, then holder. The cost of a page does not depend on its place:
 * for one token with a million holders as for a million tokens with one holder each. `version`: of the collection, in the same snapshot.
 */
export async function readHolders(
  sql: Sql,
  requested: HoldersRequest,
): Promise<{ holders: Holder[]; version: string | null }> {
  const { state } = requested
  const values = [state.partition, state.id, ...holderBounds(requested)]
  const [row] = await sql.rows<[text: string | null, version: string | null]>(
    statements[holdersWanted(requested)],
    values,
  )
  const [text, version] = row!
  return { holders: parseHolders(text), version }
}

/**
 * Selection of holders: of all tokens of an ERC-1155, of one, or the owner of an ERC-721 token. `…OfEach`: the same for a collection with both
 * standards.
 */
export type HoldersWanted = 'holdersOfAll' | 'holdersOfOne' | 'ownerOfOne' | 'allOfEach' | 'oneOfEach'

export function holdersWanted({ state, token }: Pick<HoldersRequest, 'state' | 'token'>): HoldersWanted {
  if (state.mixed) return token === null ? 'allOfEach' : 'oneOfEach'
  if (token === null) return 'holdersOfAll'
  return state.standard === 'ERC1155' ? 'holdersOfOne' : 'ownerOfOne'
}

/** Parameters of `holderSources`: the token and the holder before the page, and the limit. */
export function holderBounds({ token, after, limit }: Omit<HoldersRequest, 'state'>): unknown[] {
  return [after?.hash ?? token ?? highestHash, holdersAfter(after), limit]
}

/** SQL of the values of `holderBounds`. */
type Bounds = { token: string; holder: string; limit: string }

/** Holders of each token `t` after the address `after`, by one key scan. `ofEach`: a token may be an ERC-721 one, which has no balances. */
const held = (ofEach: boolean, tokens: string, after: string, limit: string) => {
  const balances = `
  SELECT b.holder, b.amount FROM balance b
  WHERE b.partition = $1 AND b.collection_id = $2 AND b.token_hash = t.token_hash AND b.amount > 0 AND b.holder > ${after}
  ORDER BY b.holder LIMIT ${limit}`
  return `
SELECT t.token_hash, t.token_id, t.minter, t.last_position, t.first_position, t.minted_position, t.erc1155, b.holder AS owner, b.amount
FROM (${tokens}) t CROSS JOIN LATERAL (${
    ofEach ? `(${balances}) UNION ALL SELECT t.owner, t.amount WHERE NOT t.erc1155 AND t.owner > ${after}` : balances
  }
) b`
}

/**
 * SQL of tokens `t`, each with one of its holders, whose address and amount replace owner and amount: $1 partition, $2 collection.
 *
 * Reads as many tokens as the holders of a page can have, besides the first one, of which an unknown number is left. A listed token has at least one
 * holder, as its amount is the sum of its holders' amounts. So at most three pages of balances are read, in whatever order PostgreSQL reads them.
 */
const holdersOfAll =
  (ofEach: boolean) =>
  ({ token, holder, limit }: Bounds) =>
    `${held(
      ofEach,
      `
  SELECT s.* FROM (
    SELECT ${tokenColumns}, sum(CASE WHEN t.token_hash < ${token} THEN t.holders ELSE 0 END) OVER (
        ORDER BY t.token_hash DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ) AS above
    FROM (
      SELECT ${tokenColumns}, t.holders FROM token t
      WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0 AND t.token_hash <= ${token}
      ORDER BY t.token_hash DESC LIMIT ${limit} + 1
    ) t
  ) s WHERE coalesce(s.above, 0) < ${limit}`,
      `CASE WHEN t.token_hash < ${token} THEN ''::bytea ELSE ${holder} END`,
      limit,
    )} ORDER BY t.token_hash DESC, b.holder LIMIT ${limit}`

const holdersOfOne =
  (ofEach: boolean) =>
  ({ token, holder, limit }: Bounds) =>
    held(
      ofEach,
      `SELECT ${tokenColumns} FROM token t WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0 AND t.token_hash = ${token}`,
      holder,
      limit,
    )

export const holderSources: Record<HoldersWanted, (bounds: Bounds) => string> = {
  holdersOfAll: holdersOfAll(false),
  holdersOfOne: holdersOfOne(false),
  allOfEach: holdersOfAll(true),
  oneOfEach: holdersOfOne(true),
  ownerOfOne: ({ token, holder, limit }) => `
SELECT ${tokenColumns} FROM token t
WHERE t.partition = $1 AND t.collection_id = $2 AND t.token_hash = ${token} AND t.amount > 0 AND t.owner > ${holder} LIMIT ${limit}`,
}

const statement = (wanted: HoldersWanted) => `
SELECT ${holdersText}, ${versionOf({ partition: '$1', id: '$2' })} FROM (
  SELECT t.token_hash, t.owner AS holder, t.amount FROM (${holderSources[wanted]({ token: '$3', holder: '$4', limit: '$5' })}) t
) h`

const statements: Record<HoldersWanted, string> = {
  holdersOfAll: statement('holdersOfAll'),
  holdersOfOne: statement('holdersOfOne'),
  ownerOfOne: statement('ownerOfOne'),
  allOfEach: statement('allOfEach'),
  oneOfEach: statement('oneOfEach'),
}
