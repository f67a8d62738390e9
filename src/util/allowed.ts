import { z } from 'zod'

const texts = z.registry<{ allowed: string }>()

/**
 * Sets the text that describes a schema's allowed values in messages (`an http or https URL`), for schemas whose own rules are not descriptive enough.
 * Add checks to the schema first: they return another schema, without the text.
 */
export function allowing<S extends z.ZodType>(text: string, schema: S): S {
  texts.add(schema, { allowed: text })
  return schema
}

/** An integer from `least` on, up to `most` if given. */
export function wholeFrom(least: number, most?: number) {
  const schema = z.int().min(least)
  return most === undefined ? schema : schema.max(most)
}

/** The parts of a schema from which sentences are made. */
export type SchemaParts = {
  type: string
  /** Set by schemas that wrap another one. */
  innerType?: z.ZodType
  in?: z.ZodType
  getter?: () => z.ZodType
  /** Set by objects, lists, records, unions and enums. */
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  keyType?: z.ZodType
  valueType?: z.ZodType
  options?: readonly z.ZodType[]
  entries?: Record<string, string | number>
  checks?: readonly z.core.$ZodCheck[]
  /** `safeint` for an integer. */
  format?: string
}

export function partsOf(schema: z.ZodType): SchemaParts {
  return schema.def as unknown as SchemaParts
}

/** The schema that another one wraps, as `nullish`, defaults, transforms and lazy schemas do. */
export function wrappedIn(schema: z.ZodType): z.ZodType | undefined {
  const { innerType, in: input, getter } = partsOf(schema)
  return innerType ?? input ?? getter?.()
}

/** The schema without its wrappers. */
export function bare(schema: z.ZodType): z.ZodType {
  const inner = wrappedIn(schema)
  return inner ? bare(inner) : schema
}

/** The values that a schema allows, as the end of a sentence: `true or false`, `text of 1 to 80 characters`. */
export function allowedBy(schema: z.ZodType): string {
  const known = texts.get(schema)?.allowed
  if (known !== undefined) return known
  const inner = wrappedIn(schema)
  if (inner) return allowedBy(inner)
  const { type, options = [], entries = {} } = partsOf(schema)
  switch (type) {
    case 'string':
      return `text${length(schema, 'characters')}`
    case 'number':
      return numberRange(schema)
    case 'boolean':
      return 'true or false'
    case 'enum':
      return orList(Object.values(entries).map(String))
    case 'array':
      return `a list${length(schema, 'items')}`
    case 'union':
      return orList(options.map(allowedBy))
    case 'object':
    case 'record':
      return 'a JSON object'
    case 'null':
      return 'null'
    default:
      return 'any JSON'
  }
}

/** ` of 1 to 80 characters`, from the checks of a text or a list. */
function length(schema: z.ZodType, unit: string): string {
  const checks = (partsOf(schema).checks ?? []).map((check) => check._zod.def as { minimum?: number; maximum?: number })
  const minimum = checks.find((check) => check.minimum !== undefined)?.minimum
  const maximum = checks.find((check) => check.maximum !== undefined)?.maximum
  if (maximum === undefined && minimum === 1) return ' that is not empty'
  if (maximum === undefined) return minimum === undefined ? '' : ` of ${minimum} ${unit} or more`
  return ` of ${minimum === undefined ? 'at most' : `${minimum} to`} ${maximum} ${unit}`
}

/** `a whole number from 0 to 65535`, from the checks of a number. */
function numberRange(schema: z.ZodType): string {
  const { format, checks = [] } = partsOf(schema)
  const bounds = checks.map((check) => check._zod.def as { check: string; value: number; inclusive: boolean })
  const least = bounds.find(({ check }) => check === 'greater_than')
  const most = bounds.find(({ check }) => check === 'less_than')
  const name = format === 'safeint' ? 'a whole number' : 'a number'
  const to = most ? `to ${most.value}` : ''
  if (least === undefined) return `${name}${to && ` up ${to}`}`
  if (!least.inclusive) return `${name} above ${least.value}${to && `, ${to}`}`
  return to ? `${name} from ${least.value} ${to}` : `${name}, ${least.value} or more`
}

/** `a, b or c`. */
export function orList(texts: readonly string[]): string {
  return texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`
}
