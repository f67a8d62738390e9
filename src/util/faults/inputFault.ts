import { errorCode } from '../errors.ts'

/**
 * Whether the database rejects rows for their values: unstorable data (SQLSTATE class 22), a violated constraint (23), or too large data (54). The
 * same rows would be rejected again.
 */
export function isRowFault(error: unknown): boolean {
  return /^(22|23|54)[0-9A-Z]{3}$/.test(errorCode(error) ?? '')
}

/** Whether the same input would cause an error again: a loop that retried at once would never end. */
export function isInputFault(error: unknown): boolean {
  return isProgramFault(error) || isRowFault(error)
}

/** Whether the program itself failed on its input: an error of the JavaScript engine, which no source and no disk causes. */
function isProgramFault(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof ReferenceError ||
    error instanceof SyntaxError ||
    error instanceof URIError
  )
}
