import { foldKey, type JsonObject } from './readKey.ts'

/**
 * The parts of a trait and the keys that metadata uses for them, the most specific first. A key is compared without its
 * case, `_`, `-` and spaces, so `trait_type` is `TraitType` and `Trait Type` too. The next spelling goes into this table.
 */
const traitSpellings = {
  trait_type:
    'trait_type trait_name trait trait_category attribute_name attribute property_name property label title key'.split(
      ' ',
    ),
  /** The trait's name where a value is beside it, and the value itself in `{type, name}` and `{trait_type, name}`. */
  name: ['name'],
  type: ['type', 'category'],
  value: ['value', 'val', 'trait_value', 'attribute_value', 'property_value', 'values', 'display_value'],
  display_type: ['display_type'],
  max_value: ['max_value', 'max'],
  order: ['order'],
}

/** Spellings of `trait_type` that mean a trait also where no value is beside them. */
const explicit = new Set(['traittype', 'traitname'])

export type TraitPart = keyof typeof traitSpellings

/** The keys of one object by the part that each represents. */
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

/** Which of an object's own keys represents each part: of several, the most showing that is not empty, else the most showing. */
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
