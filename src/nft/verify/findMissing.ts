import type { Sql } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { type Address, bufferToHex } from '../../util/hex.ts'
import { firstPositionOf } from '../transfers/position.ts'
import type { Findings } from './createFindings.ts'
import { answersAt, type Panel } from './createPanel.ts'
import type { Subject } from './openSubject.ts'

type Options = { panel: Panel; findings: Findings; subject: Subject; sql: Sql }

/** Transfers per step. */
const transfersTogether = 20_000
/** Most remembered ids and holders, so that none is checked twice. */
const mostRemembered = 1_000_000

type Cursor = { position: bigint; item: number }

/** ERC-721: searches tokens of stored ERC-721 transfers that have no row. Returns how many of them exist on the chain. */
export async function findMissingTokens(options: Options): Promise<number> {
  const { panel, findings, subject, sql } = options
  const seen = new Set<string>()
  let existing = 0
  for await (const [from, to] of ranges(sql, subject)) {
    const rows = await sql.rows<[string]>(
      `SELECT DISTINCT x.token_id::text FROM ${transfersHashed} x ${knownToken} WHERE t.known IS NULL AND x.operator IS NULL`,
      [...bounds(subject, from, to), subject.address],
    )
    const ids = rows.map(([id]) => id).filter((id) => !seen.has(id))
    if (ids.length === 0) continue
    const answers = await panel.request((reader, signal) => reader.owners(ids.map(BigInt), signal))
    for (const [i, tokenId] of ids.entries()) {
      const values = answersAt(answers, i)
      if (values[0]?.value != null) existing += 1
      findings.compare({ kind: 'missing', tokenId }, null, values)
      if (seen.size < mostRemembered) seen.add(tokenId)
    }
    findings.compared.tokens += ids.length
    await panel.anchor()
  }
  return existing
}

const missingRow = defineRow({
  tokenId: column.text('x.token_id::text'),
  holder: column.bytea('x.to_address').map(bufferToHex),
  /** The id has no row. */
  unknown: column.bool('t.known IS NULL'),
})

/** ERC-1155: searches holders without a stored balance, of ids without a row and of ids with `wrong` amounts. */
export async function findMissingHolders(options: Options, wrong: readonly bigint[]): Promise<void> {
  const { panel, findings, subject, sql } = options
  const seen = new Set<string>()
  const missing = new Set<string>()
  for await (const [from, to] of ranges(sql, subject)) {
    const rows = await sql.rows(
      `SELECT DISTINCT ${missingRow.columns} FROM ${transfersHashed} x ${knownToken} ${knownBalance}
       WHERE x.to_address <> decode(repeat('00', 20), 'hex') AND b.known IS NULL AND x.operator IS NOT NULL
         AND (t.known IS NULL OR x.token_id = ANY($8::numeric[]))`,
      [...bounds(subject, from, to), subject.address, wrong.map(String)],
    )
    const found = rows.map(missingRow.decode).filter(({ tokenId, holder }) => !seen.has(tokenId + holder))
    if (found.length === 0) continue
    const holdings = found.map(({ tokenId, holder }): { tokenId: bigint; holder: Address } => ({
      tokenId: BigInt(tokenId),
      holder,
    }))
    const answers = await panel.request((reader, signal) => reader.balances(holdings, signal))
    for (const [i, { tokenId, holder, unknown }] of found.entries()) {
      const values = answersAt(answers, i).map(({ node, value }) => ({ node, value: value ?? 0n }))
      findings.compare({ kind: 'balance', tokenId, holder }, 0n, values)
      if (unknown && values.every((answer) => answer.value > 0n) && !missing.has(tokenId)) {
        missing.add(tokenId)
        findings.compare(
          { kind: 'missing', tokenId },
          null,
          values.map(({ node }) => ({ node, value: 'held' })),
        )
      }
      if (seen.size < mostRemembered) seen.add(tokenId + holder)
    }
    findings.compared.balances += found.length
    await panel.anchor()
  }
}

/** SQL condition: the transfer is after position and item ($3, $4) and not after ($5, $6). */
const between =
  'partition = $1 AND collection_id = $2 AND (position, item) > ($3::int8, $4::int4) AND (position, item) <= ($5::int8, $6::int4)'

const transfersHashed = `(
  SELECT token_id, to_address, operator, md5($7::text || token_id::text)::uuid AS token_hash FROM transfer WHERE ${between}
)`

/**
 * LIMIT forces one lookup by key per transfer. Without statistics, PostgreSQL planned anti-joins that read all tokens for each transfer: 20,000
 * transfers were not done after 40 s.
 */
const knownToken = `LEFT JOIN LATERAL (
  SELECT true AS known FROM token t WHERE t.partition = $1 AND t.collection_id = $2 AND t.token_hash = x.token_hash LIMIT 1
) t ON true`
const knownBalance = `LEFT JOIN LATERAL (
  SELECT true AS known FROM balance b
  WHERE b.partition = $1 AND b.collection_id = $2 AND b.token_hash = x.token_hash AND b.holder = x.to_address LIMIT 1
) b ON true`

function bounds({ partition, id }: Subject, from: Cursor, to: Cursor): unknown[] {
  return [partition, id, from.position, from.item, to.position, to.item]
}

async function* ranges(sql: Sql, { partition, id, block }: Subject): AsyncGenerator<[Cursor, Cursor]> {
  const end: Cursor = { position: firstPositionOf(block + 1n) - 1n, item: 2_147_483_647 }
  for (let from: Cursor = { position: -1n, item: 0 }; ; ) {
    const rows: [bigint, number][] = await sql.rows<[bigint, number]>(
      `SELECT position, item FROM transfer WHERE ${between} ORDER BY position, item OFFSET ${transfersTogether} LIMIT 1`,
      [partition, id, from.position, from.item, end.position, end.item],
    )
    const [row] = rows
    const to: Cursor = row ? { position: row[0], item: row[1] } : end
    yield [from, to]
    if (!row) return
    from = to
  }
}
