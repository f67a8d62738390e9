export type JsonObject = Record<string, unknown>

/** A plain object of decoded JSON, no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The value of the first of the keys that has one other than null, undefined and ''. Only the object's own keys count, so `__proto__` is a
 * key like any other.
 */
export function readKey(object: JsonObject, keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = Object.hasOwn(object, key) ? object[key] : undefined
    if (!isNothing(value)) return value
  }
  return undefined
}

/** The longest key that any reader looks for, with its `_`. */
const longestSpelling = 24

/** A key without its case, `_`, `-` and white space. A key too long to be looked for is left as it is. */
export function foldKey(key: string): string {
  return key.length > longestSpelling ? key : key.toLowerCase().replaceAll(/[_\-\s]+/g, '')
}

/**
 * An object's own values by their folded keys, as an object without a prototype. Of two spellings the first that is not empty counts. Keys
 * that are not in `names` are omitted, as a megabyte of metadata may have 150,000.
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
