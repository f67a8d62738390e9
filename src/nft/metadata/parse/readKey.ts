export type JsonObject = Record<string, unknown>

/** A JSON object, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of the first key with a value other than null, undefined and ''. Only own keys count, so `__proto__` is an ordinary key. */
export function readKey(object: JsonObject, keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = Object.hasOwn(object, key) ? object[key] : undefined
    if (!isNothing(value)) return value
  }
  return undefined
}

/** Longest key that any reader uses, with its `_`. */
const longestSpelling = 24

/** A key without case, `_`, `-` and white space. Longer keys than any used one are unchanged. */
export function foldKey(key: string): string {
  return key.length > longestSpelling ? key : key.toLowerCase().replaceAll(/[_\-\s]+/g, '')
}

/**
 * An object's own values by folded key, without a prototype. Of several spellings, the first non-empty one counts. Keys outside of `names` are
 * omitted, as a megabyte of metadata may have 150,000.
 */
export function foldKeys(object: JsonObject, names: ReadonlySet<string>): JsonObject {
  const folded: JsonObject = Object.create(null)
  for (const key of Object.keys(object)) {
    const name = foldKey(key)
    if (names.has(name) && isNothing(folded[name])) folded[name] = object[key]
  }
  return folded
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
