export type JsonObject = Record<string, unknown>

/** A plain object of decoded JSON, no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The first of the keys that the object itself has (nothing inherited, so `__proto__` is a name like any other) with
 * something other than null, undefined or ''.
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

/** An object's own values under their folded keys, without a prototype: of two spellings the first with something in it. */
export function foldKeys(object: JsonObject): JsonObject {
  const folded: JsonObject = Object.create(null)
  for (const [key, value] of Object.entries(object)) {
    const name = foldKey(key)
    if (isNothing(folded[name])) folded[name] = value
  }
  return folded
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
