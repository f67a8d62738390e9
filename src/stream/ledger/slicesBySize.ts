/** Of bodies that one statement writes: it is one text on its way to the database, which holds 512 MB at most. */
export const bytesPerStatement = 33_554_432

/** Where to cut a list whose items have these sizes, so that each slice has at most `most`, or one item: from, to. */
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
