import type { z } from 'zod'
import { allowedBy, bare, partsOf } from '../allowed.ts'

/** A part of a value, and its fault. */
export type Fault = { parameter: string; message: string }

/** Whether messages may quote texts of the value. */
type Quoting = 'quoted' | 'hidden'

/**
 * A validator's issue as a sentence with name, fault and allowed values: `tag has 1025 characters; allowed: at most 1024`. The validator's own
 * message is never used. A text of the value is quoted only if the schema has a format or a list of values, which no schema of a secret has. With
 * `hidden` no text is quoted. `value`: the whole checked value, called `name` in messages.
 */
export function issueSentence(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  value: unknown,
  name: string,
  quoting: Quoting = 'quoted',
): Fault {
  const { place, fault } = reported(issue, schema, value, quoting)
  return { parameter: place || name, message: `${place || `the ${name}`} ${fault}` }
}

function reported(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  value: unknown,
  quoting: Quoting,
): { place: string; fault: string } {
  const { path } = issue
  if (issue.code === 'invalid_key') {
    const owner = path.slice(0, -1)
    const { schema: record } = partAt(schema, value, owner)
    const [inner] = issue.issues
    const { keyType } = record ? partsOf(bare(record)) : {}
    const fault = inner ? faultOf(inner, keyType, path.at(-1), quoting) : 'is not allowed'
    // With `hidden` the sentence about the name does not quote it, so the path must.
    if (quoting === 'hidden') return { place: placeOf(path, quoting), fault: `is a name that ${fault}` }
    return { place: placeOf(owner, quoting), fault: `has a name that ${fault}` }
  }
  if (issue.code === 'invalid_union') {
    // If the value has the form of one of the schemas, that schema's issue is about a part of the value.
    const within = issue.errors.map(([first]) => first).find((first) => first !== undefined && first.path.length > 0)
    if (within)
      return reported({ ...within, path: [...path, ...within.path] } as z.core.$ZodIssue, schema, value, quoting)
  }
  const part = partAt(schema, value, path)
  return { place: placeOf(path, quoting), fault: faultOf(issue, part.schema, part.value, quoting) }
}

/** The fault of a value and the allowed values, as the end of a sentence. */
function faultOf(issue: z.core.$ZodIssue, schema: z.ZodType | undefined, value: unknown, quoting: Quoting): string {
  switch (issue.code) {
    // The message of our own checks is the whole end of the sentence.
    case 'custom':
      return issue.message
    case 'too_big':
      if (typeof value === 'number') return `is ${value}; allowed: ${allowed(schema)}`
      return `${amountOf(value)}; allowed: at most ${issue.maximum}`
    case 'too_small': {
      if (typeof value === 'number') return `is ${value}; allowed: ${allowed(schema)}`
      const isEmpty = value === '' || (Array.isArray(value) && value.length === 0)
      if (!isEmpty) return `${amountOf(value)}; allowed: at least ${issue.minimum}`
      return `is empty; allowed: ${allowed(schema)}`
    }
    case 'invalid_format':
    case 'invalid_value':
      return `${value === undefined ? 'is missing' : oddText(value, quoting)}; allowed: ${allowed(schema)}`
    default:
      return `${value === undefined ? 'is missing' : `is ${kindOf(value, schema, quoting)}`}; allowed: ${allowed(schema)}`
  }
}

function allowed(schema: z.ZodType | undefined): string {
  return schema ? allowedBy(schema) : 'something else'
}

function amountOf(value: unknown): string {
  if (typeof value === 'string') return `has ${value.length} ${value.length === 1 ? 'character' : 'characters'}`
  if (Array.isArray(value)) return `has ${value.length} ${value.length === 1 ? 'item' : 'items'}`
  return `is ${String(value)}`
}

function kindOf(value: unknown, schema: z.ZodType | undefined, quoting: Quoting): string {
  if (value === null) return 'null'
  // A secret may consist only of digits.
  if (typeof value === 'number' && quoting === 'hidden' && !(schema && isNumber(schema))) return 'a number'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'object') return 'an object'
  return String(value)
}

function isNumber(schema: z.ZodType): boolean {
  return partsOf(bare(schema)).type === 'number'
}

function oddText(value: unknown, quoting: Quoting): string {
  if (typeof value !== 'string') return `is ${kindOf(value, undefined, quoting)}`
  if (value === '') return 'is empty'
  if (quoting === 'hidden') return 'does not fit'
  return `is ${JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value)}`
}

/** The schema and the value at an issue's path. */
function partAt(
  schema: z.ZodType,
  value: unknown,
  path: readonly PropertyKey[],
): { schema: z.ZodType | undefined; value: unknown } {
  let at: z.ZodType | undefined = schema
  let part = value
  for (const step of path) {
    at = at && stepInto(at, step)
    part = (part as Record<PropertyKey, unknown> | null | undefined)?.[step]
  }
  return { schema: at, value: part }
}

function stepInto(schema: z.ZodType, step: PropertyKey): z.ZodType | undefined {
  const { shape, element, valueType, options = [] } = partsOf(bare(schema))
  if (typeof step === 'number') return element ?? options.map((option) => stepInto(option, step)).find(Boolean)
  return shape?.[String(step)] ?? valueType ?? options.map((option) => stepInto(option, step)).find(Boolean)
}

/** A path into a value as text, such as `abi[3].type`. */
export function placeOf(path: readonly PropertyKey[], quoting: Quoting = 'quoted'): string {
  return path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${named(part, quoting)}`))
    .join('')
}

/** A field's name in messages: names may be a client's own, of any length and characters. */
function named(part: PropertyKey, quoting: Quoting): string {
  const name = String(part)
  if (/^[\w$-]{1,80}$/.test(name)) return name
  // A client may have sent a URL with a key in place of a name.
  if (quoting === 'hidden') return /^[\w .-]{1,60}$/.test(name) ? JSON.stringify(name) : '(not a name)'
  return JSON.stringify(name.slice(0, 80))
}
