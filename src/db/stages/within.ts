/**
 * SQL that goes on with a condition: the rows of these aliases are of one partition, which a cluster needs to be told to run a statement on one
 * shard. A join with a list of keys does not tell it. Empty where the keys are of several partitions.
 */
export type Within = (...aliases: string[]) => string

/** The partition of all keys; undefined: they have several. */
export function onlyPartition(keys: readonly { partition: number }[]): number | undefined {
  const partition = keys[0]?.partition
  return keys.every((key) => key.partition === partition) ? partition : undefined
}

export function within(partition: number | undefined): Within {
  return (...aliases) =>
    partition === undefined ? '' : aliases.map((alias) => ` AND ${alias}.partition = ${partition}`).join('')
}
