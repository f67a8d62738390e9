export type JsonObject = Record<string, unknown>

/** A plain object of decoded JSON, no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The first of the keys that the object itself has (nothing inherited, so `__proto__` is a name like any other) with
 * something other than null, undefined or ''. Keys are given in snake case; camel case is the same one.
 */
export function readKey(object: JsonObject, keys: readonly string[]): unknown {
  for (const key of keys) {
    for (const spelling of spellings(key)) {
      const value = Object.hasOwn(object, spelling) ? object[spelling] : undefined
      if (value !== undefined && value !== null && value !== '') return value
    }
  }
  return undefined
}

/** Which spelling of the key the object itself has, be its value null. */
export function findKey(object: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) for (const spelling of spellings(key)) if (Object.hasOwn(object, spelling)) return spelling
  return undefined
}

/** image_url, imageUrl, imageURL. */
function spellings(key: string): string[] {
  if (!key.includes('_')) return [key]
  const camel = key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return camel.endsWith('Url') ? [key, camel, camel.replace(/Url$/, 'URL')] : [key, camel]
}
