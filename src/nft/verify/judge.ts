/** What a node answered. */
export type Answer<T> = { node: string; value: T }

/** `stored` against the answers of all nodes; undefined where all of them say the same. */
export function judge<T extends string | bigint | null>(
  stored: T,
  answers: readonly Answer<T>[],
): { mismatch: { chain: T } | undefined; differing: readonly Answer<T>[] } | undefined {
  const others = answers.filter((answer) => answer.value !== stored)
  const [first] = answers
  if (others.length === 0 || !first) return undefined
  // A node that stands alone against another and what is stored is the one that is wrong.
  if (others.length < answers.length) return { mismatch: undefined, differing: others }
  return { mismatch: { chain: first.value }, differing: answers.filter((answer) => answer.value !== first.value) }
}
