/** The settings of one source of the configuration: a file by its path, a variable by its name, or a flag. */
export type ConfigLayer = { source: string; values: unknown }

/** Merges all layers; later layers override earlier ones. */
export function mergeLayers(layers: readonly ConfigLayer[]): unknown {
  return layers.reduce<unknown>((below, layer) => merge(below, layer.values), {})
}

/** The source of the value at `path`; undefined for a default. */
export function sourceOf(layers: readonly ConfigLayer[], path: readonly string[]): string | undefined {
  return layers.findLast(({ values }) => valueAt(values, path) !== undefined)?.source
}

function valueAt(values: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, part) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, part) ? Reflect.get(at, part) : undefined,
    values,
  )
}

export function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function merge(below: unknown, above: unknown): unknown {
  if (above === undefined) return below
  if (!isPlain(above)) return above
  // A value in place of a group is an error, which a single setting of the group must not hide.
  if (!isPlain(below)) return below ?? above
  const merged: Record<string, unknown> = { ...below }
  for (const [key, value] of Object.entries(above)) merged[key] = merge(merged[key], value)
  return merged
}
