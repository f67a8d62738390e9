import { BadRequestError, MintmarkError, NotFoundError } from '../../util/errors.ts'

/** Missing or unknown key. HTTP 401. */
export class UnauthorizedError extends MintmarkError {
  readonly code = 'UNAUTHORIZED'
}

/** The key lacks the required access. HTTP 403. */
export class ForbiddenError extends MintmarkError {
  readonly code = 'FORBIDDEN'
}

/** The path is known, but does not have the method. HTTP 405. */
export class MethodNotAllowedError extends MintmarkError {
  readonly code = 'METHOD_NOT_ALLOWED'
  /** Value of the header Allow. */
  readonly allow: string

  constructor(message: string, options: { allow: string }) {
    super(message)
    this.allow = options.allow
  }
}

/** The client accepts no content type of the operation. HTTP 406. */
export class NotAcceptableError extends MintmarkError {
  readonly code = 'NOT_ACCEPTABLE'
}

/** The client closed the connection while its request waited. HTTP 499, as nginx counts it; nobody receives it. */
export class ClientGoneError extends MintmarkError {
  readonly code = 'CLIENT_GONE'
}

/** The body exceeds the limit of the operation. HTTP 413. */
export class PayloadTooLargeError extends MintmarkError {
  readonly code = 'PAYLOAD_TOO_LARGE'
}

/** The file has no byte of the requested range. HTTP 416. */
export class RangeNotSatisfiableError extends MintmarkError {
  readonly code = 'RANGE'
  readonly bytes: number

  constructor(bytes: number) {
    super(`Range requests no byte of the file, which has ${bytes}; allowed: bytes from 0 to ${bytes - 1}`)
    this.bytes = bytes
  }
}

/** Path and query are longer than any operation needs. HTTP 414. */
export class UriTooLongError extends MintmarkError {
  readonly code = 'URI_TOO_LONG'
}

/**
 * The token is not in the collection, or there is no contract at the address. Carries the headers with the indexing
 * status. HTTP 404.
 */
export class NotInCollectionError extends NotFoundError {
  /** Alternating names and values. */
  readonly headers: readonly string[]

  constructor(message: string, options: { parameter: string; headers: readonly string[] }) {
    super(message, { details: { parameter: options.parameter } })
    this.headers = options.headers
  }
}

/**
 * The collection's state at the requested block is not known, or not yet. Carries the headers with the indexing status.
 * HTTP 400.
 */
export class NotCoveredError extends BadRequestError {
  /** Alternating names and values. */
  readonly headers: readonly string[]

  constructor(message: string, options: { headers: readonly string[] }) {
    super(message, { details: { parameter: 'as_of_block' } })
    this.headers = options.headers
  }
}

/** No operation has this path. */
export function unknownPath(): NotFoundError {
  return new NotFoundError('there is no route at this path; /openapi.json lists all routes')
}
