import { hash } from 'node:crypto'
import type { Row, Sql } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { chunksOf } from '../../util/chunksOf.ts'
import { type Address, bufferToHex, hexToBuffer } from '../../util/hex.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'
import { keyed } from '../transfers/keyed.ts'
import type { Subject } from './openSubject.ts'

export type StoredToken = {
  hash: string
  tokenId: bigint
  /** The owner of a listed ERC-721 token. */
  owner: Address | null
  /** The token is listed while this is above zero. */
  amount: bigint
  /** The token's standard. */
  standard: Standard
  /** The last read token URI; null: none, or not compared. */
  uri: UriDigest | null
}

export type StoredBalance = { hash: string; holder: Address; amount: bigint }

/** Tokens or balances per page: 20 multicalls. */
const pageSize = 1_000

/** Longest literal that is shown completely. */
const longestLiteral = 250

const tokenRow = defineRow({
  hash: column.uuid('t.token_hash'),
  tokenId: column.numeric('t.token_id'),
  owner: column.bytea('t.owner').map(bufferToHex).orNull(),
  amount: column.numeric('t.amount'),
  erc1155: column.bool('t.erc1155'),
  md5: column.text('md5(m.uri)').orNull(),
  /** Prefix of the URI's JSON literal. */
  literal: column.text(`left(m.uri, ${longestLiteral + 1})`).orNull(),
})

/** Only the last URI is stored: the URI at an earlier block is unknown. */
const uriOf = {
  stored: `LATERAL (
  SELECT substring(m.record FROM '^"token_uri":("(?:[^"\\\\]|\\\\.)*")') AS uri FROM token_metadata m
  WHERE m.partition = $1 AND m.collection_id = $2 AND m.token_hash = t.token_hash LIMIT 1
)`,
  rebuilt: '(SELECT NULL AS uri)',
}

const selectTokens = ({ source }: Subject, tokens: string) => `
SELECT ${tokenRow.columns} FROM (${tokens} ORDER BY t.token_hash LIMIT ${pageSize}) t LEFT JOIN ${uriOf[source]} m ON true ORDER BY t.token_hash`

/** The tokens of a subject, page by page in the order of their hashes. */
export async function* readStoredTokens(sql: Sql, subject: Subject): AsyncGenerator<StoredToken[]> {
  const { partition, id, sample, tables } = subject
  const key = [partition, id]
  if (sample) {
    const found = keyed({ table: tables.token, row: 't', list: '$3::uuid[]' })
    const text = selectTokens(subject, `SELECT t.* FROM ${found}`)
    for (const hashes of chunksOf(sample, pageSize)) yield tokensOf(subject, await sql.rows(text, [...key, hashes]))
    return
  }
  const text = selectTokens(
    subject,
    `SELECT t.* FROM ${tables.token} t WHERE t.partition = $1 AND t.collection_id = $2 AND ($3::uuid IS NULL OR t.token_hash > $3)`,
  )
  for (let after: string | null = null; ; ) {
    const tokens: StoredToken[] = tokensOf(subject, await sql.rows(text, [...key, after]))
    if (tokens.length === 0) return
    yield tokens
    after = tokens.at(-1)!.hash
  }
}

function tokensOf({ standards }: Subject, rows: readonly Row[]): StoredToken[] {
  return rows.map((row) => {
    const { md5, literal, owner, erc1155, ...token } = tokenRow.decode(row)
    const standard = standards === 'both' ? (erc1155 ? 'ERC1155' : 'ERC721') : standards
    const uri = md5 !== null && literal !== null ? shortened(literal, md5) : null
    return { ...token, standard, owner: token.amount === 0n ? null : owner, uri }
  })
}

const balanceRow = defineRow({
  hash: column.uuid('token_hash'),
  holder: column.bytea('holder').map(bufferToHex),
  /** Clients do not see negative balances. */
  amount: column.numeric('greatest(amount, 0)'),
})

/** Balances of some tokens, page by page in the order of their hashes: one id may have a million holders. */
export async function* readBalances(
  sql: Sql,
  subject: Subject,
  hashes: readonly string[],
): AsyncGenerator<StoredBalance[]> {
  const { partition, id, tables } = subject
  if (hashes.length === 0) return
  const sorted = hashes.toSorted()
  // The bounds restrict PostgreSQL before 17 to these tokens, as explained at `keyed`; the list alone would filter the whole collection.
  const text = `
    SELECT ${balanceRow.columns} FROM ${tables.balance}
    WHERE partition = $1 AND collection_id = $2 AND token_hash = ANY($3::uuid[])
      AND (token_hash, holder) > ($4::uuid, $5::bytea) AND token_hash <= $6
    ORDER BY token_hash, holder LIMIT ${pageSize}`
  for (let after: [string, Buffer] = [sorted[0]!, Buffer.alloc(0)]; ; ) {
    const rows: Row[] = await sql.rows(text, [partition, id, sorted, ...after, sorted.at(-1)])
    const balances: StoredBalance[] = rows.map(balanceRow.decode)
    const last = balances.at(-1)
    if (!last) return
    yield balances
    after = [last.hash, hexToBuffer(last.holder)]
  }
}

/** Digest of a token URI, which may contain a megabyte of metadata: the md5 of its stored JSON literal is compared, its beginning is shown. */
export type UriDigest = { md5: string; shown: string }

export function digestUri(uri: string): UriDigest {
  const literal = JSON.stringify(uri)
  return shortened(literal, hash('md5', literal))
}

/** The digest of a literal, of which `literal` has at least the first `longestLiteral + 1` characters. */
function shortened(literal: string, md5: string): UriDigest {
  const whole = literal.length <= longestLiteral
  return { md5, shown: whole ? literal.slice(1, -1) : `${literal.slice(1, longestLiteral)}… (md5 ${md5})` }
}
