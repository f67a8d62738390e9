import type { Sql } from '../../db/database.ts'
import { type Address, bufferToHex } from '../../util/hex.ts'
import { sameToken } from '../transfers/tokenHash.ts'
import type { Subject } from './openSubject.ts'
import { longestLiteral, shortened, type UriDigest } from './uriDigest.ts'

export type StoredToken = {
  hash: string
  tokenId: bigint
  /** ERC-721 and listed: its owner. */
  owner: Address | null
  /** Listed while above zero. */
  amount: bigint
  /** The token URI that was read last; null: none, or not to be compared. */
  uri: UriDigest | null
}

export type StoredBalance = { hash: string; holder: Address; amount: bigint }

/** Tokens or balances of one page: 20 multicalls. */
const pageSize = 1_000

const selectTokens = (table: string, where: string) => `
SELECT t.token_hash::text, t.token_id::text, t.owner, t.amount::text, md5(m.uri), left(m.uri, ${longestLiteral + 1})
FROM ${table} t LEFT JOIN LATERAL (
  SELECT substring(m.record FROM '^"token_uri":("(?:[^"\\\\]|\\\\.)*")') AS uri FROM token_metadata m
  WHERE ${sameToken('m', 't')} LIMIT 1
) m ON true
WHERE t.partition = $1 AND t.collection_id = $2 AND ${where} ORDER BY t.token_hash LIMIT ${pageSize}`

type TokenRow = [hash: string, id: string, owner: Buffer | null, amount: string, md5: string | null, uri: string | null]

/** The tokens of a subject, page by page in the order of their hashes. */
export async function* readTokens(sql: Sql, subject: Subject): AsyncGenerator<StoredToken[]> {
  const { partition, id, sample, tables } = subject
  const key = [partition, id]
  if (sample) {
    const text = selectTokens(tables.token, 't.token_hash = ANY($3::uuid[])')
    for (let at = 0; at < sample.length; at += pageSize)
      yield (await sql.rows<TokenRow>(text, [...key, sample.slice(at, at + pageSize)])).map((row) =>
        tokenOf(subject, row),
      )
    return
  }
  const text = selectTokens(tables.token, '($3::uuid IS NULL OR t.token_hash > $3)')
  for (let after: string | null = null; ; ) {
    const rows: TokenRow[] = await sql.rows<TokenRow>(text, [...key, after])
    if (rows.length === 0) return
    yield rows.map((row) => tokenOf(subject, row))
    after = rows.at(-1)![0]
  }
}

function tokenOf(subject: Subject, [hash, tokenId, owner, amount, md5, literal]: TokenRow): StoredToken {
  // Only the last URI is kept: it says nothing of a block before.
  const uri = subject.source === 'stored' && md5 !== null && literal !== null ? shortened(literal, md5) : null
  return {
    hash,
    tokenId: BigInt(tokenId),
    owner: owner === null || amount === '0' ? null : bufferToHex(owner),
    amount: BigInt(amount),
    uri,
  }
}

/** Balances of some tokens, page by page: one id may have a million holders. */
export async function* readBalances(
  sql: Sql,
  subject: Subject,
  hashes: readonly string[],
): AsyncGenerator<StoredBalance[]> {
  const { partition, id, tables } = subject
  const text = `
    SELECT token_hash::text, holder, amount::text FROM ${tables.balance}
    WHERE partition = $1 AND collection_id = $2 AND token_hash = ANY($3::uuid[])
      AND ($4::uuid IS NULL OR (token_hash, holder) > ($4, $5))
    ORDER BY token_hash, holder LIMIT ${pageSize}`
  for (let after: [string | null, Buffer | null] = [null, null]; ; ) {
    const rows: [string, Buffer, string][] = await sql.rows<[string, Buffer, string]>(text, [
      partition,
      id,
      hashes,
      ...after,
    ])
    if (rows.length === 0) return
    yield rows.map(([hash, holder, amount]) => ({ hash, holder: bufferToHex(holder), amount: BigInt(amount) }))
    after = [rows.at(-1)![0], rows.at(-1)![1]]
  }
}
