/**
 * True for what no source and no disk brings about: the program itself stumbled over what it was given, as the engine's own errors
 * tell (a TypeError, a RangeError). The same input gives the same fault again.
 */
export function isProgramFault(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof ReferenceError ||
    error instanceof SyntaxError ||
    error instanceof URIError
  )
}
