import { errorCode } from '../errors.ts'

/**
 * Whether the database refuses rows for their values: data that it cannot store (class 22 of SQLSTATE), that breaks a constraint (23), or
 * that is too large (54). The same rows would be refused again.
 */
export function isRowFault(error: unknown): boolean {
  return /^(22|23|54)[0-9A-Z]{3}$/.test(errorCode(error) ?? '')
}

/** Whether the same input would bring an error about again: a loop that tried it again at once would do nothing else. */
export function isInputFault(error: unknown): boolean {
  return isProgramFault(error) || isRowFault(error)
}

/** Whether the program itself failed on its input: an error of the JavaScript engine, which no source and no disk brings about. */
function isProgramFault(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof ReferenceError ||
    error instanceof SyntaxError ||
    error instanceof URIError
  )
}
