import { isInputFault } from './inputFault.ts'

/**
 * Writes a list with one call of `write`. If it is rejected for its values (`isInputFault`), bisection finds the rejected items: each is passed to
 * `writeAlone` with its error, and all others are written. Returns the results of the parts, in order. Throws any other error, after writing the
 * parts before it.
 */
export async function writeByHalves<T, R>(
  list: readonly T[],
  write: (part: readonly T[]) => Promise<R>,
  writeAlone: (item: T, fault: unknown) => Promise<R>,
): Promise<R[]> {
  try {
    return [await write(list)]
  } catch (error) {
    if (!isInputFault(error)) throw error
    const half = list.length >> 1
    if (half === 0) return [await writeAlone(list[0]!, error)]
    const first = await writeByHalves(list.slice(0, half), write, writeAlone)
    return first.concat(await writeByHalves(list.slice(half), write, writeAlone))
  }
}
