import { z } from 'zod'
import type { CoinPosition } from '../../coin/query.ts'
import { choice, cursorText, wholeNumber } from '../http/parameters.ts'
import { fault } from '../http/parseQuery.ts'
import type { Cursors } from '../pages/cursor.ts'

/** The query for a page of latest coins. */
export type LatestQuery = {
  network: string
  limit: number
  /** Coins left out before the first page. */
  offset: number
  /** The last coin of the page before; null on the first page. */
  after: CoinPosition | null
}

/** Names the operation inside its cursors, with the version of what they hold. */
const operation = 'coin.latest.1'

/** The parameter `standard`: a value that is not served is refused, and not answered with coins of another standard. */
export const standardParameter = choice({
  description: 'The standard of the coins. v1: `0x1::coin`, the only one that is served.',
  values: ['v1'],
  default: 'v1',
})

export const latestQuerySchema = z.object({
  limit: wholeNumber({ description: 'Most coins on a page.', min: 1, max: 100 }),
  offset: wholeNumber({
    description: 'Coins left out before the first page.',
    min: 0,
    max: 1_000_000_000,
    default: 0,
  }).optional(),
  cursor: cursorText().optional(),
  standard: standardParameter.optional(),
})

type CursorPayload = [network: string, limit: number, offset: number, version: string, hash: string]

/** Joins the parameters with what the cursor carries over from the page before. Throws BadRequestError. */
export function readLatestQuery(options: {
  network: string
  query: z.output<typeof latestQuerySchema>
  cursors: Cursors
}): LatestQuery {
  const { network, query, cursors } = options
  if (!query.cursor) return { network, limit: query.limit, offset: query.offset ?? 0, after: null }
  const [signedFor, limit, offset, version, hash] = cursors.read(operation, query.cursor) as CursorPayload
  if (signedFor !== network)
    throw fault('cursor', `belongs to the network ${signedFor}; allowed: a cursor from an answer for ${network}`)
  if (query.limit !== limit) throw differs('limit', query.limit, limit)
  if (query.offset !== undefined && query.offset !== offset) throw differs('offset', query.offset, offset)
  return { network, limit, offset, after: { version: BigInt(version), hash } }
}

function differs(name: string, given: number, first: number): Error {
  return fault(name, `is "${given}", but the cursor was made with ${first}; allowed with this cursor: ${first}`)
}

/** The query as text: what the cache knows a page by. */
export function latestName({ network, limit, offset, after }: LatestQuery): string {
  return JSON.stringify([network, limit, offset, after && String(after.version), after?.hash])
}

/** The cursor of the page that comes after `query`'s. */
export function nextCursor(cursors: Cursors, query: LatestQuery, last: CoinPosition): string {
  const payload: CursorPayload = [query.network, query.limit, query.offset, String(last.version), last.hash]
  return cursors.sign(operation, payload)
}
