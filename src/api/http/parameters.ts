import { z } from 'zod'
import { orList } from '../../util/allowed.ts'
import type { Address } from '../../util/hex.ts'
import { faultOfText } from './storableText.ts'

export type ParameterOptions<T> = {
  description: string
  /** What is allowed, as the end of a sentence. */
  allowed: string
  /** JSON schema of the text as clients write it. */
  schema: Record<string, unknown>
  /** undefined: invalid. */
  parse(text: string): T | undefined
}

/** A parameter with its validation, error message and description. */
export function parameter<T>({ description, allowed, schema, parse }: ParameterOptions<T>) {
  return z
    .string({ error: (issue) => `${issue.input === undefined ? 'is missing' : 'is not text'}; allowed: ${allowed}` })
    .transform((text, context): T => {
      const unstorable = faultOfText(text)
      const value = unstorable === undefined ? parse(text) : undefined
      if (value !== undefined) return value
      context.issues.push({
        code: 'custom',
        input: text,
        message: unstorable ?? `is ${shown(text)}; allowed: ${allowed}`,
      })
      return z.NEVER
    })
    .meta({ description, override: schema })
}

function shown(text: string): string {
  return text === '' ? 'empty' : JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}

export function wholeNumber(options: { description: string; min: number; max: number; default?: number }) {
  const { description, min, max } = options
  return parameter({
    description,
    allowed: `a whole number from ${min} to ${max}`,
    schema: { type: 'integer', minimum: min, maximum: max, ...defaultOf(options) },
    parse(text) {
      const value = /^0*\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      return value >= min && value <= max ? value : undefined
    },
  })
}

export function flag(options: { description: string; default: boolean }) {
  return parameter({
    description: options.description,
    allowed: 'true, false, 1 or 0',
    schema: { type: 'boolean', ...defaultOf(options) },
    parse(text) {
      const lower = text.toLowerCase()
      if (lower === 'true' || lower === '1') return true
      return lower === 'false' || lower === '0' ? false : undefined
    },
  })
}

/** In any case: clients use several. */
export function choice<const T extends string>(options: { description: string; values: readonly T[]; default?: T }) {
  return parameter({
    description: options.description,
    allowed: orList(options.values),
    schema: { type: 'string', enum: options.values, ...defaultOf(options) },
    parse: (text) => options.values.find((value) => value.toLowerCase() === text.toLowerCase()),
  })
}

/** In any case, also with a wrong checksum: clients send both. */
export function address(options: { description: string }) {
  return parameter<Address>({
    description: options.description,
    allowed: 'an address: 0x and 40 hex digits',
    schema: { type: 'string', pattern: '^0[xX][0-9a-fA-F]{40}$', examples: [`0x${'5a'.repeat(20)}`] },
    parse: (text) => (/^0x[0-9a-f]{40}$/i.test(text) ? (text.toLowerCase() as Address) : undefined),
  })
}

const maxUint256 = 2n ** 256n - 1n

export function tokenId(options: { description: string }) {
  return parameter({
    description: options.description,
    allowed: 'a token id: a whole number from 0 to 2^256−1, decimal or 0x and hex digits',
    schema: { type: 'string', pattern: '^([0-9]+|0[xX][0-9a-fA-F]+)$', examples: ['1', '0x1'] },
    parse(text) {
      if (!/^(0*\d{1,78}|0x0*[0-9a-f]{1,64})$/i.test(text)) return undefined
      const value = BigInt(text.toLowerCase())
      return value <= maxUint256 ? value : undefined
    },
  })
}

function defaultOf(options: { default?: unknown }): { default?: unknown } {
  return options.default === undefined ? {} : { default: options.default }
}

const wholes = new WeakSet<z.ZodType>()

/** A list whose items may contain commas: written `x=a&x=b`, with or without brackets, never `x=a,b`. */
export function wholeItems<T extends z.ZodType>(list: T): T {
  wholes.add(list)
  return list
}

/** Whether a schema was made by `wholeItems`. */
export const isWhole = (schema: z.ZodType): boolean => wholes.has(schema)

/** An unverified cursor; `readList` verifies it. */
export function cursorText() {
  return parameter({
    description: 'Cursor of the previous page; empty or omitted for the first page.',
    allowed: 'a cursor from a response',
    schema: { type: 'string' },
    parse: (text) => text,
  })
}

/** Page size. */
export function pageLimit(most = 100) {
  return wholeNumber({ description: 'Maximum records per page.', min: 1, max: most, default: 100 }).optional()
}

/** Page size and cursor. */
export function pageParameters() {
  return { limit: pageLimit(), cursor: cursorText().optional() }
}
