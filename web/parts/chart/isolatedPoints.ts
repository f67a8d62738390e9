/** Indexes of values without a neighbour on either side, to which no line leads. null or undefined: unknown. */
export function isolatedPoints(values: ArrayLike<number | null | undefined>): number[] {
  const places: number[] = []
  for (let i = 0; i < values.length; i++)
    if (values[i] != null && values[i - 1] == null && values[i + 1] == null) places.push(i)
  return places
}
