import { cleanText } from './cleanText.ts'
import type { NormalizedAttribute, Scalar } from './normalizedMetadata.ts'
import { foldKey, isObject, type JsonObject } from './readKey.ts'
import { findTraitKeys, type TraitPart } from './traitSpellings.ts'

const maxAttributes = 1000
const maxTextLength = 2000
/** Deepest nesting of traits; deeper ones are omitted. */
const maxNesting = 4

const listKeys = new Set(['attributes', 'traits', 'properties'])

/** Folded keys of `properties` that describe the token or its files, and are not traits. */
const notTraits = new Set(
  'name title description image image_url animation_url animation_uri external_url external_uri external_link files category creators preview_media_file preview_media_file_type preview_media_file2 preview_media_file2_type'
    .split(' ')
    .map(foldKey),
)

/**
 * The traits of metadata, at most 1,000: those of the first of `attributes`, `traits` and `properties` that has any. A single value under one of
 * these names is a trait only if nothing else is. A list has `{trait_type, value}` in any spelling of `traitSpellings.ts`, or texts, numbers or
 * booleans. An object has names and values, nested or not. Both may be JSON text. A trait with a list of values is one trait per value.
 */
export function readAttributes(metadata: JsonObject): NormalizedAttribute[] {
  for (const source of sources(metadata)) {
    const found: NormalizedAttribute[] = []
    collect(typeof source === 'string' ? (parseList(source) ?? source) : source, null, found, 0)
    if (found.length > 0) return found
  }
  return []
}

function* sources(metadata: JsonObject): Generator<unknown> {
  const own = [readFolded(metadata, 'attributes'), readFolded(metadata, 'traits')]
  const properties = readFolded(metadata, 'properties')
  const inner = isObject(properties) ? [readFolded(properties, 'attributes'), readFolded(properties, 'traits')] : []
  yield* [...own, ...inner].filter(holdsTraits)
  if (isObject(properties))
    yield Object.fromEntries(Object.entries(properties).filter(([key]) => !notTraits.has(foldKey(key))))
  else if (holdsTraits(properties)) yield properties
  yield* [...own, properties].filter((value) => !holdsTraits(value))
}

/** A list or an object, or the text of one. */
function holdsTraits(value: unknown): boolean {
  return isContainer(value) || (typeof value === 'string' && parseList(value) !== undefined)
}

/** The value of a key in any spelling (`foldKey`): the name itself first. */
function readFolded(object: JsonObject, name: string): unknown {
  const key = Object.hasOwn(object, name) ? name : Object.keys(object).find((each) => foldKey(each) === name)
  return key === undefined ? undefined : (object[key] ?? undefined)
}

/** Appends the traits in `value`; `name` is the key of `value`, null in a list. */
function collect(value: unknown, name: string | null, found: NormalizedAttribute[], nesting: number): void {
  if (found.length >= maxAttributes || nesting > maxNesting || value === undefined) return
  if (Array.isArray(value)) collectList(value, name, found, nesting)
  else if (isObject(value)) collectObject(value, name, found, nesting)
  else add(found, { trait_type: name, value })
}

function collectList(list: unknown[], name: string | null, found: NormalizedAttribute[], nesting: number): void {
  const [first, second] = list
  // ["Background", "Red"]: a pair within a list.
  if (nesting > 0 && name === null && list.length === 2 && typeof first === 'string' && !isContainer(second)) {
    add(found, { trait_type: first, value: second })
  } else for (const item of list) collect(item, name, found, nesting + 1)
}

function collectObject(object: JsonObject, name: string | null, found: NormalizedAttribute[], nesting: number): void {
  const { own, value: valueKey, keys } = findTrait(object, name === null, nesting === 0)
  if (own === undefined && valueKey === undefined) {
    // A nested list (`attributes: {traits: […]}`), or names with values.
    for (const [key, value] of Object.entries(object)) {
      const inner = listKeys.has(foldKey(key)) && isContainer(value)
      collect(value, inner ? name : join(name, key), found, nesting + 1)
    }
    return
  }
  const part = (key: TraitPart) => (keys[key] === undefined ? undefined : object[keys[key]])
  const trait = {
    trait_type: (own === undefined ? undefined : toText(object[own])) ?? name,
    display_type: part('display_type'),
    order: part('order'),
  }
  const max = part('max_value')
  const value = valueKey === undefined ? null : object[valueKey]
  if (Array.isArray(value)) for (const each of value) add(found, { ...trait, max_value: max, value: each })
  else if (isObject(value)) collect(value, trait.trait_type, found, nesting + 1)
  else add(found, { ...trait, max_value: max, value })
}

type ObjectTrait = {
  own: string | undefined
  value: string | undefined
  keys: Partial<Record<TraitPart, string>>
}

/**
 * The keys of a trait's name (`own`) and value in an object; none if it is an object of names and values. `unnamed`: the object has no key.
 * `outermost`: the object has all traits of the metadata.
 */
function findTrait(object: JsonObject, unnamed: boolean, outermost: boolean): ObjectTrait {
  const { keys, explicit, others } = findTraitKeys(object)
  const none = { own: undefined, value: undefined, keys }
  const own = explicit ? keys.trait_type : undefined
  if (keys.value !== undefined) {
    const named = keys.trait_type ?? keys.name ?? keys.type
    // The object of all traits may have a trait named "value". In a list, a value alone is a trait without a name.
    return outermost && (named === undefined || (others && !explicit)) ? none : { own: named, value: keys.value, keys }
  }
  const schema = schemaValue(object, keys.name)
  if (schema !== undefined && (own !== undefined || !outermost)) return { own, value: schema, keys }
  if (own !== undefined || keys.name === undefined) return { own, value: own && keys.name, keys }
  // A named `{type, name}` is more likely a thing with a type and a name than a trait.
  const named = unnamed && !outermost ? (keys.trait_type ?? keys.type) : undefined
  return named === undefined ? none : { own: named, value: keys.name, keys }
}

const schemaTypes = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'object', 'array'])

/** `{type: 'string', description: 'Red'}`: the JSON schema of ERC-721 with values in place of descriptions. */
function schemaValue(object: JsonObject, nameKey: string | undefined): 'description' | undefined {
  // `{type: 'Weapon', name: 'Sword', description: '…'}` is not a schema: its type is not a JSON type.
  if (nameKey !== undefined && !schemaTypes.has(object.type)) return undefined
  return typeof object.type === 'string' && !isContainer(object.description) && Object.hasOwn(object, 'description')
    ? 'description'
    : undefined
}

type Found = { trait_type: string | null; value: unknown; display_type?: unknown; max_value?: unknown; order?: unknown }

function add(found: NormalizedAttribute[], { trait_type, value, display_type, max_value, order }: Found): void {
  const scalar = toScalar(value)
  const type = trait_type === null ? null : cleanText(trait_type, maxTextLength)
  if (found.length >= maxAttributes || isContainer(value) || (type === null && scalar === null)) return
  const max = toScalar(max_value)
  found.push({
    trait_type: type,
    value: scalar,
    display_type: toText(display_type) ?? null,
    max_value: typeof max === 'boolean' ? null : max,
    trait_count: null,
    order: toNumber(order),
  })
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function join(outer: string | null, key: string): string {
  return outer === null ? key : cleanText(`${outer} / ${key}`, maxTextLength)
}

function toScalar(value: unknown): Scalar | null {
  if (typeof value === 'string') return cleanText(value, maxTextLength)
  if (typeof value === 'boolean') return value
  return toNumber(value, false)
}

/** A finite number, with 0 for -0, which JSON lacks. With `fromText`, also from text. */
function toNumber(value: unknown, fromText = true): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null
  if (!fromText || typeof value !== 'string' || !/^-?\d{1,15}$/.test(value)) return null
  return Number(value) + 0
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return cleanText(value, maxTextLength)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** A list or an object in JSON text; undefined for other texts. */
function parseList(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
