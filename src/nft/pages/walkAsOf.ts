import type { Sql } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { hexToBuffer } from '../../util/hex.ts'
import { stillAt } from '../asOf/readBlockAt.ts'
import { stateAt } from '../asOf/stateAt.ts'
import type { AsOf } from '../asOfQuery.ts'
import type { CollectionState } from '../query.ts'
import { type Standard, type Standards, standardsOf } from '../transfers/decodeTransfers.ts'
import { keyed } from '../transfers/keyed.ts'
import { lastPositionOf } from '../transfers/position.ts'
import { mintAt } from '../transfers/tokenFacts.ts'
import { highestHash, tokenHashSql } from '../transfers/tokenHash.ts'
import { tokenBytes, writeLines } from './rows/tokenLines.ts'

/** A listed token, with the part of its record that depends on its state (`tokenLines.ts`). */
export type AsOfLine = { hash: string; line: string }

/** `to`: the hash down to which all tokens were scanned; null: no more follow. */
export type AsOfWalk = { lines: AsOfLine[]; to: string | null }

/**
 * Cost limit of a page: read tokens, 1 µs each, and added ERC-1155 transfers, 2 µs each. A more expensive page ends early, with a cursor. It
 * has at least one token, whatever that costs.
 */
const mostSpent = 200_000

/** Most tokens per statement. */
const mostAtOnce = 20_000

/** With at most this many transfers up to the block, a walk over the transfers is cheaper than one over the tokens. */
const fewTransfers = 10_000

/** Tokens to read before checking whether the transfers up to the block contain fewer tokens. */
const patience = 2_000

/** Cost of the state of a token that moved after the block: a lookup, or the sum of its transfers. */
const costs: Record<Standards, string> = { ERC721: '1', ERC1155: 't.transfers', both: 't.transfers' }

const between = (bounds: string) => `token t WHERE t.partition = $1 AND t.collection_id = $2 AND ${bounds}`

/** Tokens that a statement scans: from hash $4 to below or up to $5, or those of the list $4. */
const sources = {
  below: between('t.token_hash >= $4 AND t.token_hash < $5'),
  toTop: between('t.token_hash >= $4 AND t.token_hash <= $5'),
  listed: `${keyed({ table: 'token', row: 't', list: '$4::uuid[]' })} WHERE $5::uuid IS NULL`,
}

const stepRow = defineRow({
  /** null: the collection was removed. */
  still: column.bool(stillAt('$8', '$9')).orNull(),
  /** Number of tokens in range, up to the limit. */
  rows: column.int4('count(*)::int'),
  /** Number of scanned tokens among them, in walk order. */
  reached: column.int4('(count(*) FILTER (WHERE w.reached))::int'),
  /** The last scanned token. */
  lowest: column.text(`min(encode(uuid_send(w.token_hash), 'hex')) FILTER (WHERE w.reached)`).orNull(),
  spent: column.int8('coalesce(sum(w.cost) FILTER (WHERE w.reached), 0)::int8'),
  lines: column
    .bytea(`string_agg(CASE WHEN t.amount > 0 THEN ${tokenBytes} END, '' ORDER BY w.token_hash DESC)`)
    .orNull(),
})

const { minter, mintedPosition } = mintAt('$3')

/** SQL of a row `w` of `token` after position $3, with SQL of its state as `stateAt`. */
export const tokenAt = (state: string) => `
  SELECT w.token_hash, w.token_id, s.owner, ${minter} AS minter, s.last_position, w.first_position,
    ${mintedPosition} AS minted_position, s.amount, s.erc1155
  FROM (${state}) s (owner, last_position, amount, erc1155) WHERE w.first_position <= $3`

/**
 * SQL of one step: $1 partition, $2 collection, $3 last position of the block, $4 and $5 as in `sources`, $6 most tokens, $7 cost limit, $8 and $9
 * number and hash of the block.
 */
const stepSql = (standards: Standards, source: keyof typeof sources) => `
SELECT ${stepRow.columns} FROM (
  SELECT t.*, coalesce(sum(t.cost) OVER (ORDER BY t.token_hash DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) < $7 AS reached
  FROM (
    SELECT t.token_hash, t.token_id, t.owner, t.minter, t.last_position, t.first_position, t.minted_position, t.amount, t.erc1155,
      CASE WHEN t.first_position <= $3 AND t.last_position > $3 THEN ${costs[standards]} ELSE 0 END AS cost
    FROM ${sources[source]}
    ORDER BY t.token_hash DESC LIMIT $6
  ) t
) w LEFT JOIN LATERAL (${tokenAt(stateAt[standards])} AND w.reached) t ON true`

const steps = Object.fromEntries(
  (['ERC721', 'ERC1155', 'both'] as const).map((standards) => [
    standards,
    {
      below: stepSql(standards, 'below'),
      toTop: stepSql(standards, 'toTop'),
      listed: stepSql(standards, 'listed'),
    },
  ]),
) as Record<Standards, Record<keyof typeof sources, string>>

const selectFew = `
SELECT count(*)::int FROM (
  SELECT 1 FROM transfer x WHERE x.partition = $1 AND x.collection_id = $2 AND x.position <= $3 LIMIT ${fewTransfers + 1}
) x`

const selectNamed = `
SELECT DISTINCT replace(${tokenHashSql('c.address', 'x.token_id')}::text, '-', '')
FROM transfer x JOIN collection c ON c.partition = $1 AND c.id = $2
WHERE x.partition = $1 AND x.collection_id = $2 AND x.position <= $3`

export type AsOfBounds = {
  /** Inclusive. */
  from: string
  /** Exclusive; null: to the end of the hash space. */
  to: string | null
}

/** A collection, with the block at whose end it is requested. */
export type AsOfRequest = {
  state: Pick<CollectionState, 'partition' | 'id' | 'mixed'> & { standard: Standard }
  asOf: AsOf
}

/**
 * Tokens of a part of a collection that were listed at the end of a block, by hash descending, at most `limit`. Rows of burned and later tokens are
 * among them, so the walk takes larger steps if few match. If they are too sparse, it follows the tokens of the transfers up to the block. `moved`:
 * see `AsOfQuery`.
 */
export async function walkAsOf(
  sql: Sql,
  { state, asOf, bounds, limit }: AsOfRequest & { bounds: AsOfBounds; limit: number },
): Promise<AsOfWalk | 'moved'> {
  const found: AsOfLine[] = []
  let { to } = bounds
  let looked = 0
  let spent = 0
  let named: string[] | undefined
  let requested = false
  for (let most = limit + 1; ; ) {
    const part = named?.splice(0, most)
    const step = await readStep(sql, { state, asOf }, part ?? { from: bounds.from, to }, most, mostSpent - spent)
    if (step === 'moved') return step
    for (const one of step.lines) found.push(one)
    if (found.length > limit) return { lines: found.slice(0, limit), to: found[limit - 1]!.hash }
    if (part && step.reached < step.rows) named = [...part.slice(part.indexOf(step.lowest!) + 1), ...named!]
    const isOver = step.reached === step.rows && (named ? named.length === 0 : step.rows < most)
    if (isOver) return { lines: found, to: null }
    looked += step.reached
    spent += step.reached + step.spent
    to = step.lowest
    if (spent >= mostSpent) return { lines: found, to }
    if (!requested && looked >= patience) {
      requested = true
      named = await readNamed(sql, { state, asOf }, bounds.from, to!)
    }
    most = nextStep(limit + 1 - found.length, found.length / looked)
  }
}

/** Number of tokens that should contain the missing ones at the density so far. */
function nextStep(missing: number, share: number): number {
  return Math.min(mostAtOnce, Math.ceil((missing * 1.2) / Math.max(share, 1 / mostAtOnce)))
}

/** The state of one token. */
export async function tokenAsOf(
  sql: Sql,
  requested: AsOfRequest,
  hash: string,
): Promise<AsOfLine | undefined | 'moved'> {
  const step = await readStep(sql, requested, [hash], 1, 1)
  return step === 'moved' ? step : step.lines[0]
}

type Step = { rows: number; reached: number; lowest: string | null; spent: number; lines: AsOfLine[] }

async function readStep(
  sql: Sql,
  { state, asOf }: AsOfRequest,
  source: AsOfBounds | readonly string[],
  most: number,
  budget: number,
): Promise<Step | 'moved'> {
  const kind = 'from' in source ? (source.to === null ? 'toTop' : 'below') : 'listed'
  const bounds = 'from' in source ? [source.from, source.to ?? highestHash] : [source, null]
  const { block, hash } = asOf
  const [row] = await sql.rows(steps[standardsOf(state)][kind], [
    ...[state.partition, state.id, lastPositionOf(block), ...bounds],
    ...[most, budget, block, hexToBuffer(hash)],
  ])
  const { still, lines, spent, ...step } = stepRow.decode(row!)
  if (still !== true) return 'moved'
  return { ...step, spent: Number(spent), lines: lines ? linesOf(lines) : [] }
}

const beforeHash = '","token_hash":"'

/** Lines of tokens in bytes (`tokenBytes`). */
export function linesOf(tokens: Buffer): AsOfLine[] {
  const { bytes, starts, ends } = writeLines(tokens, Buffer.allocUnsafe)
  return starts.map((start, i) => {
    const line = bytes.toString('latin1', start, ends[i])
    const at = line.indexOf(beforeHash) + beforeHash.length
    return { hash: line.slice(at, at + highestHash.length), line }
  })
}

/** Tokens of the transfers up to the block, from hash `from` to below `to`, greatest first; undefined if there are many transfers. */
async function readNamed(
  sql: Sql,
  { state, asOf }: AsOfRequest,
  from: string,
  to: string,
): Promise<string[] | undefined> {
  const values = [state.partition, state.id, lastPositionOf(asOf.block)]
  const [few] = await sql.rows<[number]>(selectFew, values)
  if (few![0] > fewTransfers) return undefined
  const rows = await sql.rows<[string]>(selectNamed, values)
  return rows
    .map(([hash]) => hash)
    .filter((hash) => hash >= from && hash < to)
    .sort()
    .reverse()
}
