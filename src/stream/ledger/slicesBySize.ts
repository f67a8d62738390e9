/** Bytes of bodies that one statement writes: the driver sends it as one string, and a string of Node holds 512 MB at most. */
export const bytesPerStatement = 33_554_432

/** Cuts a list whose items have these sizes into slices [from, to), each of at most `most` in all, or of one item. */
export function* slicesBySize(sizes: readonly number[], most: number): Generator<[number, number]> {
  let from = 0
  let sum = 0
  for (const [i, size] of sizes.entries()) {
    if (i > from && sum + size > most) {
      yield [from, i]
      from = i
      sum = 0
    }
    sum += size
  }
  if (from < sizes.length) yield [from, sizes.length]
}
