import { foldKey, type JsonObject } from './readKey.ts'

/**
 * The parts of a trait with their keys in metadata, most specific first. Keys are compared without case, `_`, `-` and spaces, so `trait_type` is also
 * `TraitType` and `Trait Type`. Add new spellings here.
 */
const traitSpellings = {
  trait_type:
    'trait_type trait_name trait trait_category attribute_name attribute property_name property label title key'.split(
      ' ',
    ),
  /** The trait's name beside a value, and the value itself in `{type, name}` and `{trait_type, name}`. */
  name: ['name'],
  type: ['type', 'category'],
  value: ['value', 'val', 'trait_value', 'attribute_value', 'property_value', 'values', 'display_value'],
  display_type: ['display_type'],
  max_value: ['max_value', 'max'],
  order: ['order'],
}

/** Spellings of `trait_type` that mean a trait even without a value. */
const explicit = new Set(['traittype', 'traitname'])

export type TraitPart = keyof typeof traitSpellings

/** The keys of one object by trait part. */
export type TraitKeys = {
  keys: Partial<Record<TraitPart, string>>
  /** Whether `trait_type` is spelled so that the object is a trait even without a value. */
  explicit: boolean
  /** Whether the object has other keys than those of a trait. */
  others: boolean
}

const parts = new Map<string, { part: TraitPart; rank: number }>()
for (const part of Object.keys(traitSpellings) as TraitPart[]) {
  for (const [rank, spelling] of traitSpellings[part].entries()) parts.set(foldKey(spelling), { part, rank })
}

/** Selects the key of each part among an object's own keys: the most specific non-empty one, else the most specific one. */
export function findTraitKeys(object: JsonObject): TraitKeys {
  const found: TraitKeys = { keys: {}, explicit: false, others: false }
  const ranks: Partial<Record<TraitPart, number>> = {}
  for (const key of Object.keys(object)) {
    const folded = foldKey(key)
    const known = parts.get(folded)
    if (known === undefined) {
      found.others = true
      continue
    }
    const value = object[key]
    const rank = isNothing(value) ? known.rank + parts.size : known.rank
    if (explicit.has(folded)) found.explicit = true
    if (rank >= (ranks[known.part] ?? Number.POSITIVE_INFINITY)) continue
    ranks[known.part] = rank
    found.keys[known.part] = key
  }
  return found
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}
