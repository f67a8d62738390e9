import { NotFoundError } from '../../util/errors.ts'
import { type AbsentOperation, absentOperations } from '../document/absentOperations.ts'
import { unknownPath } from '../http/errors.ts'
import { defineRoute, type Route } from '../http/route.ts'

/**
 * Routes for operations of published clients that this server does not have. Each answers 404 with the operation's
 * name; otherwise the path could match a token with the id "metadata". `/openapi.json` omits them.
 */
export function absentRoutes(): Route[] {
  return absentOperations.map((operation) =>
    defineRoute({
      method: operation.method,
      path: operation.path,
      operationId: operation.operationId,
      summary: 'Not an operation of this server',
      description: 'It is one of the published client, and answers 404.',
      tag: 'Absent',
      access: 'none',
      ok: { description: 'Never.' },
      isAbsent: true,
      handle({ exchange }) {
        throw isRequested(operation, exchange.target) ? absent(operation) : unknownPath()
      },
    }),
  )
}

/** False if the path begins with a wallet parameter and the request has no address there. */
function isRequested({ path }: AbsentOperation, target: string): boolean {
  return !path.startsWith('/api/v2/{') || /^\/api\/v2(\.2)?\/0x[0-9a-f]*/i.test(target)
}

function absent({ operationId, needs }: AbsentOperation): NotFoundError {
  const reason = needs === null ? '' : `, as ${needs}`
  return new NotFoundError(
    `${operationId} is an operation of the Moralis APIs that this server does not have${reason}; docs/clients.md lists those that it has`,
    { details: { operation: operationId } },
  )
}
