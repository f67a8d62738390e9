import { errorCode } from '../../errors.ts'

/**
 * True where the database refuses rows for what they hold: data that it cannot store (class 22 of SQLSTATE), that breaks a
 * constraint (23), or that is larger than it takes (54). The same rows are refused again.
 */
export function isRowFault(error: unknown): boolean {
  return /^(22|23|54)[0-9A-Z]{3}$/.test(errorCode(error) ?? '')
}

/** True for faults that the same input brings about again: a loop that retried them for ever would do nothing else. */
export function isInputFault(error: unknown): boolean {
  return isProgramFault(error) || isRowFault(error)
}

/**
 * True for what no source and no disk brings about: the program itself stumbled over what it was given, as the engine's own errors
 * tell.
 */
function isProgramFault(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof ReferenceError ||
    error instanceof SyntaxError ||
    error instanceof URIError
  )
}
