import { isCancelled, isConnectionError, isNodeUnreachable } from '../../db/databaseError.ts'
import { MintmarkError, TooManyRequestsError } from '../../util/errors.ts'
import { storageFault } from '../../util/faults/storageFault.ts'
import { DiskReserveError } from '../../util/files/diskReserve.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import { MethodNotAllowedError, NotCoveredError, NotInCollectionError, RangeNotSatisfiableError } from './errors.ts'

const statuses: Record<string, number> = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  CONFLICT: 409,
  GONE: 410,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  RANGE: 416,
  TOO_MANY_REQUESTS: 429,
  CLIENT_GONE: 499,
  UNAVAILABLE: 503,
  // After a failover of the database this process ends, and another one answers.
  OTHER_TIMELINE: 503,
}

/** Retry-After while the server starts or its database is unreachable. */
const unavailableSeconds = 2

/** Retry-After while a disk is full: an operator has to free space first. */
const storageSeconds = 30

/** The database is well, but stopped a statement of the request. */
const tooSlow =
  'this request takes the database longer than the allowed time; request less, for example a smaller limit, fewer addresses or a range of blocks'

/** The parts of an error that a client sees. */
export type ShownError = { status: number; message: string; details: Record<string, unknown> | undefined }

/** Builds the body of an error in the format of the route's clients. */
export type ErrorBody = (error: ShownError) => unknown

const ownBody: ErrorBody = ({ status, message, details }) => ({
  message,
  statusCode: status,
  ...(details ? { details } : {}),
})

/** The only mapping from errors to statuses. An error without a status becomes a 500 without details. */
export function errorAnswer(error: unknown, bodyOf: ErrorBody = ownBody): Answer {
  const failure = (status: number, message: string, details?: Record<string, unknown>, headers: string[] = []) =>
    jsonAnswer(status, bodyOf({ status, message, details }), headers)
  const storage = storageFault(error)
  if (storage)
    return failure(503, `${storage.reason}; retry when that is fixed`, undefined, [
      'retry-after',
      String(storageSeconds),
    ])
  if (isCancelled(error)) return failure(503, tooSlow, undefined, ['retry-after', String(unavailableSeconds)])
  if (isConnectionError(error)) {
    const what = isNodeUnreachable(error) ? 'a part of the database' : 'the database'
    return failure(503, `${what} cannot be reached at the moment; retry`, undefined, [
      'retry-after',
      String(unavailableSeconds),
    ])
  }
  const status = error instanceof MintmarkError ? statuses[error.code] : undefined
  if (!(error instanceof MintmarkError) || status === undefined)
    return failure(500, 'internal error; the log of the server has the details under the id in x-request-id')
  return failure(status, error.message, error.details, headersOf(error, status))
}

/** `{message, statusCode, details?}`. */
export function failure(
  status: number,
  message: string,
  details?: Record<string, unknown>,
  headers: string[] = [],
): Answer {
  return jsonAnswer(status, ownBody({ status, message, details }), headers)
}

function headersOf(error: MintmarkError, status: number): string[] {
  if (error instanceof TooManyRequestsError) return ['retry-after', String(Math.max(1, error.retryAfterSeconds))]
  if (error instanceof MethodNotAllowedError) return ['allow', error.allow]
  if (error instanceof RangeNotSatisfiableError) return ['content-range', `bytes */${error.bytes}`]
  if (error instanceof NotInCollectionError || error instanceof NotCoveredError) return [...error.headers]
  // The unread rest of the body would be parsed as the next request.
  if (status === 413) return ['connection', 'close']
  if (status === 401) return ['www-authenticate', 'Bearer']
  if (status === 503)
    return ['retry-after', String(error instanceof DiskReserveError ? storageSeconds : unavailableSeconds)]
  return []
}
