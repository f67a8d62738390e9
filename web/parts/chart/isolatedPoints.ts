/** Places of the values that have a neighbour on neither side, so that no line leads to them. null or undefined: nothing is known there. */
export function isolatedPoints(values: ArrayLike<number | null | undefined>): number[] {
  const places: number[] = []
  for (let i = 0; i < values.length; i++)
    if (values[i] != null && values[i - 1] == null && values[i + 1] == null) places.push(i)
  return places
}
