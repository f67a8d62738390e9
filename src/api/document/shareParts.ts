type JsonObject = { [name: string]: unknown }

const componentKinds = ['responses', 'parameters', 'headers', 'schemas', 'examples'] as const
type ComponentKind = (typeof componentKinds)[number]
type Kind = ComponentKind | 'operation' | 'content'

/**
 * The value under a key: one object of that kind or, with `each`, a list or record of them. With `shared`, it may be a
 * `$ref`.
 */
type Part = { kind: Kind; each?: true; shared?: false } | { kind: ComponentKind; each?: true; shared: true }

/** The parts of an OpenAPI document that this one uses. */
const grammar: Record<Kind, Record<string, Part>> = {
  operation: {
    parameters: { kind: 'parameters', each: true, shared: true },
    requestBody: { kind: 'responses' },
    responses: { kind: 'responses', each: true, shared: true },
  },
  responses: { headers: { kind: 'headers', each: true, shared: true }, content: { kind: 'content', each: true } },
  content: { schema: { kind: 'schemas', shared: true }, example: { kind: 'examples', shared: true } },
  parameters: { schema: { kind: 'schemas', shared: true } },
  headers: { schema: { kind: 'schemas', shared: true } },
  examples: {},
  schemas: {
    properties: { kind: 'schemas', each: true, shared: true },
    additionalProperties: { kind: 'schemas' },
    items: { kind: 'schemas', shared: true },
    anyOf: { kind: 'schemas', each: true, shared: true },
  },
}

/** `holder[key]`, which is not a `$ref` yet. `name`: its name as a component. */
type Place = { part: Part; holder: JsonObject; key: string; name: string }

function* placesIn(kind: Kind, value: unknown, within: string): Generator<Place> {
  for (const [field, part] of Object.entries(grammar[kind])) {
    const inner = (value as JsonObject)[field]
    const holder = (part.each ? (inner ?? {}) : value) as JsonObject
    for (const key of part.each ? Object.keys(holder) : [field]) {
      const own = holder[key] as { $ref?: string } | undefined
      if (typeof own !== 'object' || own.$ref !== undefined) continue
      yield { part, holder, key, name: nameOf({ part, holder, key }, field, within) }
    }
  }
}

/**
 * Name of a part: of a parameter its name, of a field, header or response its key, of a nested schema that of its
 * field.
 */
function nameOf({ part, holder, key }: Omit<Place, 'name'>, field: string, within: string): string {
  if (part.kind === 'parameters') return (holder[key] as { name: string }).name
  // A media type is not a name: a response takes the name of its schema.
  if (within.includes('/')) return (holder.schema as { $ref?: string }).$ref?.split('/').at(-1) ?? 'Answer'
  return field === 'anyOf' || !part.each ? within : key
}

/**
 * Moves repeated responses, parameters, headers, schemas and examples of a document into its components, if that makes it shorter. With every `$ref`
 * resolved, the document is the same. A component is named after its content, with a number if the name is taken. `names` has other names, such as
 * that of a response by its status.
 */
export function shareParts<Given extends object>(given: Given, names: Readonly<Record<string, string>>): Given {
  const document = copyOf(given)
  const { components } = document
  const roots = rootsOf(document)
  const places = new Map<string, number>()
  /** Counts parts. The inside of equal parts counts once, as they become one component. */
  function count(kind: Kind, name: string, value: unknown): void {
    for (const place of placesIn(kind, value, name)) {
      const id = idOf(place)
      const before = places.get(id) ?? 0
      places.set(id, before + 1)
      if (before === 0 || !place.part.shared) count(place.part.kind, place.name, place.holder[place.key])
    }
  }

  const references = new Map<string, { $ref: string }>()
  function share(kind: Kind, within: string, value: unknown): void {
    for (const place of placesIn(kind, value, within)) {
      const { part, holder, key, name } = place
      const own = holder[key]
      const id = idOf(place)
      const known = part.shared ? references.get(id) : undefined
      if (known) {
        refer(place, known)
        continue
      }
      if (part.shared) {
        const free = freeName(pascal(names[name] ?? name), components[part.kind])
        const reference = { $ref: `#/components/${part.kind}/${free}` }
        if (isShorter(places.get(id)!, JSON.stringify(own), JSON.stringify(referring(part, reference)))) {
          components[part.kind][free] = part.kind === 'examples' ? { value: own } : own
          refer(place, reference)
          references.set(id, reference)
        }
      }
      share(part.kind, name, own)
    }
  }

  for (const { kind, name, value } of roots) count(kind, name, value)
  for (const { kind, name, value } of roots) share(kind, name, value)
  return document as unknown as Given
}

/** Replaces a part by a reference. The key `example` cannot have a reference, but `examples` can. */
function refer({ part, holder, key }: Place, reference: { $ref: string }): void {
  if (part.kind === 'examples') delete holder[key]
  holder[part.kind === 'examples' ? 'examples' : key] = referring(part, reference)
}

const referring = ({ kind }: Part, reference: { $ref: string }) =>
  kind === 'examples' ? { answer: reference } : reference

/** Removes the description of a parameter or header from its schema, which repeats it. */
export function describeOnce<Given extends object>(given: Given): Given {
  const document = copyOf(given)
  function visit(kind: Kind, value: unknown): void {
    const { description, schema } = value as { description?: string; schema?: { description?: string } }
    if ((kind === 'parameters' || kind === 'headers') && schema?.description === description) delete schema?.description
    for (const { part, holder, key } of placesIn(kind, value, '')) visit(part.kind, holder[key])
  }
  for (const { kind, value } of rootsOf(document)) visit(kind, value)
  return document as unknown as Given
}

type Document = { paths: Record<string, JsonObject>; components: Record<ComponentKind, JsonObject> }

/** A copy in which no object is in two places. */
function copyOf(document: object): Document {
  const { components, ...rest } = JSON.parse(JSON.stringify(document))
  return { ...rest, components: { ...Object.fromEntries(componentKinds.map((kind) => [kind, {}])), ...components } }
}

type Root = { kind: Kind; name: string; value: unknown }

function rootsOf({ paths, components }: Document): Root[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  return [
    ...operations.map((value): Root => ({ kind: 'operation', name: '', value })),
    ...componentKinds.flatMap((kind) =>
      Object.entries(components[kind]).map(([name, value]): Root => ({ kind, name, value })),
    ),
  ]
}

/** Equal parts have equal ids. */
const idOf = ({ part, holder, key }: Place) => `${part.kind} ${JSON.stringify(holder[key])}`

/** Whether a component and references to it take fewer bytes than `places` copies of the part. */
function isShorter(places: number, own: string, reference: string): boolean {
  return places * reference.length + own.length + 20 < places * own.length
}

function freeName(name: string, taken: JsonObject): string {
  let number = 1
  while (Object.hasOwn(taken, numbered(name, number))) number++
  return numbered(name, number)
}

const numbered = (name: string, number: number) => (number === 1 ? name : `${name}${number}`)

/** `x-index-status` becomes IndexStatus. */
function pascal(name: string): string {
  const words = name.replace(/^x-/, '').split(/[^A-Za-z0-9]+/)
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')
}
