import { createHash } from 'node:crypto'
import { BadRequestError } from '../../util/errors.ts'
import { parameter } from '../http/parameters.ts'
import { fault } from '../http/parseQuery.ts'
import type { Cursors } from '../pages/cursor.ts'

/** JSON values that must be the same on each page of a walk. */
type Filters = Record<string, unknown>

/** Keys of the pages of one operation. */
export type PageKeys<Place> = {
  /** The position in a key; null: the first page. Throws BadRequestError. */
  read(pageKey: string | undefined): Place | null
  /** The key of the page that begins at a position; null: there is no further page. */
  sign(place: Place | null): string | null
}

export function pageKeyParameter() {
  return parameter({
    description: 'pageKey of the previous page; omit it for the first page.',
    allowed: 'a pageKey from a response',
    schema: { type: 'string' },
    parse: (text) => text,
  })
}

export function createPageKeys<Place>(options: {
  cursors: Cursors
  /** Operation id with the version of its key format. */
  operation: string
  filters: Filters
}): PageKeys<Place> {
  const { cursors, filters } = options
  const operation = `alchemy.${options.operation}`
  const mark = createHash('sha256').update(JSON.stringify(filters)).digest('base64url').slice(0, 16)
  return {
    read(pageKey) {
      if (!pageKey) return null
      const [given, place] = readPayload(cursors, operation, pageKey) as [string, Place]
      if (given === mark) return place
      throw fault(
        'pageKey',
        'belongs to a request with other parameters; allowed: one from a response to the same request',
      )
    },
    sign: (place) => (place === null ? null : cursors.sign(operation, [mark, place])),
  }
}

function readPayload(cursors: Cursors, operation: string, pageKey: string): unknown {
  try {
    return cursors.read(operation, pageKey)
  } catch (error) {
    if (!(error instanceof BadRequestError)) throw error
    throw fault('pageKey', 'is invalid or was altered; allowed: one from a response of this operation')
  }
}
