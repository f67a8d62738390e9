type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** A copy of a JSON document with each `$ref` resolved. Throws if the target of a `$ref` is missing, or if they form a cycle. */
export function resolveReferences<Document extends object>(document: Document): Document {
  function resolve(value: Json, under: readonly string[]): Json {
    if (Array.isArray(value)) return value.map((one) => resolve(one, under))
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...own } = value
    const fields = Object.fromEntries(Object.entries(own).map(([name, inner]) => [name, resolve(inner, under)]))
    if (typeof $ref !== 'string') return $ref === undefined ? fields : { ...fields, $ref: resolve($ref, under) }
    if (under.includes($ref)) throw new TypeError(`${[...under, $ref].join(' -> ')} is a circle`)
    return { ...(resolve(named($ref), [...under, $ref]) as object), ...fields }
  }

  function named($ref: string): Json {
    const found = $ref
      .replace(/^#\//, '')
      .split('/')
      .reduce<Json | undefined>((at, name) => (at as { [name: string]: Json } | undefined)?.[name], document as Json)
    if (found === undefined) throw new TypeError(`nothing is at ${$ref}`)
    return found
  }

  return resolve(document as Json, []) as Document
}
