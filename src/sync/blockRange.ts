/** Blocks `from`…`to`, inclusive. */
export type BlockRange = { from: bigint; to: bigint }

/** The gaps of `covered` within `whole`, ascending; none if `whole.to` is below `whole.from`. `covered` has ascending ranges without overlap. */
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

/** Parses `{[5,10),[20,21)}` into inclusive ranges: PostgreSQL's int8multirange excludes the upper end. */
export function parseMultirange(text: string): BlockRange[] {
  return [...text.matchAll(/\[(\d+),(\d+)\)/g)].map(([, from, upper]) => ({
    from: BigInt(from!),
    to: BigInt(upper!) - 1n,
  }))
}
