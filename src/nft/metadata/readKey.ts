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
    if (value !== undefined && value !== null && value !== '') return value
  }
  return undefined
}

/** Which of the keys the object itself has, be its value null. */
export function findKey(object: JsonObject, keys: readonly string[]): string | undefined {
  return keys.find((key) => Object.hasOwn(object, key))
}

/** Keys with their other spellings: image_url, imageUrl, imageURL. */
export function spell(...keys: string[]): readonly string[] {
  return keys.flatMap((key) => {
    const camel = key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    return [...new Set([key, camel, camel.replace(/Url$/, 'URL')])]
  })
}
