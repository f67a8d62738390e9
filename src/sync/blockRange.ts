/** Blocks `from`…`to`, both included. */
export type BlockRange = { from: bigint; to: bigint }

/** The parts of `whole` that `covered` omits, ascending. The ranges of `covered` are ascending and do not overlap. */
export function gapsOf(whole: BlockRange, covered: readonly BlockRange[]): BlockRange[] {
  const gaps: BlockRange[] = []
  let next = whole.from
  for (const { from, to } of covered) {
    if (to < next) continue
    if (from > whole.to) break
    if (from > next) gaps.push({ from: next, to: from - 1n })
    next = to + 1n
  }
  if (next <= whole.to) gaps.push({ from: next, to: whole.to })
  return gaps
}

/** `{[5,10),[20,21)}` as ranges with both ends included: Postgres writes an int8multirange with the upper end omitted. */
export function parseMultirange(text: string): BlockRange[] {
  return [...text.matchAll(/\[(\d+),(\d+)\)/g)].map(([, from, upper]) => ({
    from: BigInt(from!),
    to: BigInt(upper!) - 1n,
  }))
}
