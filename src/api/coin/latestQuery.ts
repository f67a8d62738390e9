import { z } from 'zod'
import type { CoinPosition, Standard } from '../../coin/query.ts'
import { choice, cursorText, wholeNumber } from '../http/parameters.ts'
import { fault } from '../http/parseQuery.ts'
import type { Cursors } from '../pages/cursor.ts'
import { differs } from '../pages/filteredList.ts'

/** The query for a page of latest coins. */
export type LatestQuery = {
  network: string
  limit: number
  /** Coins to skip before the first page. */
  offset: number
  /** Null: not requested. Then v1 with the fields of the first specification. */
  standard: Standard | null
  /** The last coin of the page before; null on the first page. */
  after: CoinPosition | null
}

/** Id of the operation in its cursors, with the version of their content. */
const operation = 'coin.latest.1'

/** The parameter `standard`. */
export const standardParameter = choice({
  description: 'v1 (`0x1::coin`), v2 (fungible assets) or all, with further fields. Default: v1 alone, without them.',
  values: ['v1', 'v2', 'all'],
})

export const latestQuerySchema = z.object({
  limit: wholeNumber({ description: 'Maximum coins per page.', min: 1, max: 100 }),
  offset: wholeNumber({
    description: 'Coins to skip before the first page.',
    min: 0,
    max: 1_000_000_000,
    default: 0,
  }).optional(),
  cursor: cursorText().optional(),
  standard: standardParameter.optional(),
})

/** Cursors of pages without `standard` end with the hash, as in older versions. */
type CursorPayload = [
  network: string,
  limit: number,
  offset: number,
  version: string,
  hash: string,
  standard?: Standard,
]

/** Combines the parameters with those of the cursor. Throws BadRequestError. */
export function readLatestQuery(options: {
  network: string
  query: z.output<typeof latestQuerySchema>
  cursors: Cursors
}): LatestQuery {
  const { network, query, cursors } = options
  if (!query.cursor)
    return { network, limit: query.limit, offset: query.offset ?? 0, standard: query.standard ?? null, after: null }
  const [signedFor, limit, offset, version, hash, standard] = cursors.read(operation, query.cursor) as CursorPayload
  if (signedFor !== network)
    throw fault('cursor', `belongs to the network ${signedFor}; allowed: a cursor from a response for ${network}`)
  if (query.limit !== limit) throw differs('limit', query.limit, limit)
  if (query.offset !== undefined && query.offset !== offset) throw differs('offset', query.offset, offset)
  if (query.standard !== undefined && query.standard !== standard) throw differs('standard', query.standard, standard)
  return { network, limit, offset, standard: standard ?? null, after: { version: BigInt(version), hash } }
}

/** The query as text: its key in the cache. */
export function latestName({ network, limit, offset, standard, after }: LatestQuery): string {
  return JSON.stringify([network, limit, offset, after && String(after.version), after?.hash, standard ?? undefined])
}

/** The cursor of the page after `query`'s. */
export function nextCursor(cursors: Cursors, query: LatestQuery, last: CoinPosition): string {
  const { network, limit, offset, standard } = query
  const payload: CursorPayload = [network, limit, offset, String(last.version), last.hash]
  if (standard !== null) payload.push(standard)
  return cursors.sign(operation, payload)
}
