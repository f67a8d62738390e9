import type { Sql } from '../../db/database.ts'
import { type Address, hexToBuffer } from '../../util/hex.ts'
import { stillAt } from '../asOf/readBlockAt.ts'
import { holdingAt } from '../asOf/stateAt.ts'
import type { CollectionState, HolderPlace } from '../query.ts'
import { keyed } from '../transfers/keyed.ts'
import { lastPositionOf } from '../transfers/position.ts'
import { lowestHash } from '../transfers/tokenHash.ts'
import { holdersAfter, holdersText, parseHolders } from './rows/readHolders.ts'
import type { TokenHolders, TokenHoldersQuery } from './tokenHolders.ts'
import { type AsOfLine, type AsOfRequest, tokenAsOf, walkAsOf } from './walkAsOf.ts'

/** A line per holder, null: the only possible one; `last`: the last holder, null if no more follow. */
export type OwnerLines = { lines: (AsOfLine & { holder: Address | null })[]; last: HolderPlace | null }

type OwnersRequest = {
  state: Pick<CollectionState, 'epoch'>
  token: string | null
  after: HolderPlace | null
  limit: number
}

/**
 * SQL of the holders of tokens if there are ERC-1155 ones: $1 partition, $2 collection, $3 last position of the block, $4 tokens, $5 address before
 * the first token's holders, $6 most rows, $7 and $8 number and hash of the block.
 */
const selectHolders = (standards: 'ERC1155' | 'both') => `
SELECT ${stillAt('$7', '$8')}, ${holdersText}
FROM (
  SELECT w.token_hash, h.owner AS holder, h.amount FROM ${keyed({ table: 'token', row: 'w', list: '$4::uuid[]' })} CROSS JOIN LATERAL (
    SELECT h.owner, h.amount FROM (${holdingAt[standards]}) h
    WHERE w.token_hash < ($4::uuid[])[1] OR h.owner > $5 ORDER BY h.owner LIMIT $6
  ) h
  WHERE w.first_position <= $3
  ORDER BY w.token_hash DESC, h.owner LIMIT $6
) h`

/**
 * Holders of the tokens of a collection, or of one token, at the end of a block, by token hash descending, then holder. `token`: 32 hex digits; null:
 * all.
 */
export async function ownersAsOf(
  sql: Sql,
  requested: AsOfRequest & OwnersRequest,
  tokenHolders: TokenHoldersQuery,
): Promise<OwnerLines | 'moved'> {
  const { state, asOf, token, after, limit } = requested
  if (token !== null) {
    const holders = await tokenHolders({ state, asOf, token })
    return holders === 'moved' ? holders : ofList(holders, requested)
  }
  // The token of the last holder may have more.
  const found = after && after.holder !== null ? await tokenAsOf(sql, requested, after.hash) : undefined
  if (found === 'moved') return found
  const walk = await walkAsOf(sql, { state, asOf, limit, bounds: { from: lowestHash, to: after?.hash ?? null } })
  if (walk === 'moved') return walk
  const tokens = found ? [found, ...walk.lines] : walk.lines
  const further = walk.to === null ? null : { hash: walk.to, holder: null }
  if (tokens.length === 0) return { lines: [], last: further }
  const from = holdersAfter(found ? after : null)
  const [row] = await sql.rows<[still: boolean | null, text: string | null]>(
    selectHolders(state.mixed ? 'both' : 'ERC1155'),
    [
      ...[state.partition, state.id, lastPositionOf(asOf.block), tokens.map(({ hash }) => hash), from],
      ...[limit + 1, asOf.block, hexToBuffer(asOf.hash)],
    ],
  )
  if (row?.[0] !== true) return 'moved'
  const byHash = new Map(tokens.map(({ hash, line }) => [hash, line]))
  const lines = parseHolders(row[1]).map(({ hash, holder, amount }) => ({
    ...{ hash, holder },
    line: held(byHash.get(hash)!, holder, amount),
  }))
  if (lines.length <= limit) return { lines, last: further }
  const shown = lines.slice(0, limit)
  const { hash, holder } = shown.at(-1)!
  return { lines: shown, last: { hash, holder } }
}

/** A page of the holders of one token. */
function ofList({ list, token }: TokenHolders, { after, limit }: OwnersRequest): OwnerLines {
  if (!token) return { lines: [], last: null }
  const { hash, line } = token
  const before = after?.holder ? { owner: after.holder, amount: '0' } : null
  const { rows, last } = list.page({ order: 'address', after: before, limit, minAmount: 0n })
  return {
    lines: rows.map(({ owner, amount }) => ({ hash, holder: owner, line: held(line, owner, amount) })),
    last: last && { hash, holder: last.owner },
  }
}

/** A token's line with one of its holders. */
function held(line: string, holder: Address, amount: string): string {
  return line
    .replace(/"owner_of":(null|"0x[0-9a-f]{40}")/, `"owner_of":"${holder}"`)
    .replace(/"amount":"\d+"/, `"amount":"${amount}"`)
}
