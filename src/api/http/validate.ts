import type { z } from 'zod'
import { allowedBy, bare, partsOf } from '../../util/allowed.ts'
import { BadRequestError } from '../../util/errors.ts'
import { type Fault, issueSentence, placeOf } from '../../util/faults/issueSentence.ts'
import { isWhole } from './parameters.ts'
import { parseQuery, type QueryShape } from './parseQuery.ts'
import type { Route } from './route.ts'
import { type TextFault, textFaults } from './storableText.ts'

/** Validates the parameters of a request, and throws BadRequestError with all their errors. */
export type Validate = (given: { params: Record<string, string>; search: string }) => {
  params: Record<string, unknown>
  query: Record<string, unknown>
}

export function createValidate(route: Route): Validate {
  const shape = shapeOf(route.query)
  return ({ params, search }) => {
    const pathFaults = route.params.safeParse(params)
    const query = route.query.safeParse(parseQuery(search, shape))
    const issues = [...(pathFaults.error?.issues ?? []), ...(query.error?.issues ?? [])]
    if (!pathFaults.success || !query.success) throw faults(issues)
    return { params: pathFaults.data, query: query.data }
  }
}

/** Each message has its parameter, its error and what is allowed. */
function faults(issues: z.core.$ZodIssue[]): BadRequestError {
  const named = issues.map((issue) => {
    const parameter = String(issue.path[0] ?? 'request')
    return { parameter, message: `${parameter} ${issue.message}` }
  })
  const [first] = named
  return new BadRequestError(named.map(({ message }) => message).join('. '), {
    details: named.length > 1 ? { faults: named } : { parameter: first?.parameter ?? '' },
  })
}

/** Validates a JSON body and its texts, and throws BadRequestError with the paths of errors, such as `abi[3].type`. */
export function validateBody(schema: z.ZodType, value: unknown): unknown {
  if (value === undefined)
    throw new BadRequestError(`the body is missing; allowed: ${allowedBy(schema)}`, { details: { parameter: 'body' } })
  const parsed = schema.safeParse(value)
  const faults = parsed.success
    ? textFaults(parsed.data, maxFaults).map(textSentence)
    : parsed.error.issues.slice(0, maxFaults).map((issue) => issueSentence(issue, schema, value, 'body'))
  if (parsed.success && faults.length === 0) return parsed.data
  throw new BadRequestError(faults.map(({ message }) => message).join('. '), {
    details: faults.length > 1 ? { faults } : { parameter: faults[0]?.parameter ?? 'body' },
  })
}

/** Most reported errors of a body. */
const maxFaults = 20

function textSentence({ path, message }: TextFault): Fault {
  const place = placeOf(path)
  return { parameter: place || 'body', message: `${place || 'the body'} ${message}` }
}

function shapeOf(query: z.ZodObject): QueryShape {
  const names = Object.keys(query.shape)
  const parameter = (name: string) => bare(query.shape[name] as z.ZodType)
  const lists = new Set(names.filter((name) => partsOf(parameter(name)).type === 'array'))
  const whole = new Set(names.filter((name) => isWhole(parameter(name))))
  return { lists, whole, scalars: new Set(names.filter((name) => !lists.has(name))) }
}
