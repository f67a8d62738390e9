import { LRUCache } from 'lru-cache'
import type { Sql } from '../../db/database.ts'
import { hexToBuffer } from '../../util/hex.ts'
import { shareCalls } from '../../util/shareCalls.ts'
import { stillAt } from '../asOf/readBlockAt.ts'
import { holdingAt, stateAt, stateOfHeld } from '../asOf/stateAt.ts'
import type { CollectionState } from '../query.ts'
import { lastPositionOf } from '../transfers/position.ts'
import { createHolderList, type HolderList } from './holders/holderList.ts'
import { tokenBytes } from './rows/tokenLines.ts'
import { type AsOfLine, type AsOfRequest, linesOf, tokenAt } from './walkAsOf.ts'

/** The holders of a token at the end of a block, with the token's line; undefined: it has no holders there. */
export type TokenHolders = { list: HolderList; token: AsOfLine | undefined }

export type TokenHoldersRequest = AsOfRequest & {
  state: Pick<CollectionState, 'epoch'>
  /** 32 hex digits. */
  token: string
}

/** `moved`: see `AsOfQuery`. */
export type TokenHoldersQuery = (requested: TokenHoldersRequest) => Promise<TokenHolders | 'moved'>

/** Memory of cached lists in bytes. A million holders take 45 MB. */
const keptBytes = 67_108_864

/**
 * SQL in the format of `createHolderList`: $1 partition, $2 collection, $3 last position of the block, $4 token, $5 and $6 number and hash of the block.
 */
const selectHolders = (standards: 'ERC1155' | 'both') => `
WITH w AS MATERIALIZED (
  SELECT w.* FROM token w
  WHERE w.partition = $1 AND w.collection_id = $2 AND w.token_hash = $4::uuid AND w.first_position <= $3
)
SELECT ${stillAt('$5', '$6')}, coalesce(sum(g.amount), 0)::text,
  string_agg(g.holder || int4send(1) || int4send((g.place - 1)::int4) || numeric_send(g.amount), '' ORDER BY g.amount DESC, g.holder),
  (SELECT ${tokenBytes} FROM w CROSS JOIN LATERAL (${tokenAt(standards === 'both' ? stateAt.both : stateOfHeld)}) t)
FROM (
  SELECT h.owner AS holder, h.amount, row_number() OVER (ORDER BY h.owner) AS place
  FROM w CROSS JOIN LATERAL (${holdingAt[standards]}) h
) g`

/**
 * Reads the holders of ERC-1155 tokens at a block. If the token moved later, one statement adds all its transfers up to the block, 2 µs
 * each. The result never changes, so it is cached, and a walk reads nothing more.
 */
export function createTokenHolders(sql: Sql): TokenHoldersQuery {
  const lists = new LRUCache<string, TokenHolders>({
    maxSize: keptBytes,
    sizeCalculation: ({ list }) => list.size + 1_000,
  })
  const shared = shareCalls<TokenHolders | 'moved'>()

  async function read(name: string, requested: TokenHoldersRequest): Promise<TokenHolders | 'moved'> {
    const { state, asOf, token } = requested
    const values = [state.partition, state.id, lastPositionOf(asOf.block), token, asOf.block, hexToBuffer(asOf.hash)]
    const [row] = await sql.rows<[still: boolean | null, total: string, rows: Buffer | null, token: Buffer | null]>(
      selectHolders(state.mixed ? 'both' : 'ERC1155'),
      values,
    )
    const [still, total, rows, bytes] = row!
    if (still !== true) return 'moved'
    const list = await createHolderList(rows ?? Buffer.alloc(0), total)
    const found = { list, token: rows && bytes ? linesOf(bytes)[0] : undefined }
    lists.set(name, found)
    return found
  }

  return async (requested) => {
    const { state, asOf, token } = requested
    const name = [state.epoch, state.id, state.mixed, asOf.block, asOf.hash, token].join(' ')
    return lists.get(name) ?? shared(name, () => read(name, requested))
  }
}
