import type { EventInput } from './readAbi.ts'

export const operators = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'nin'] as const
export type Operator = (typeof operators)[number]

/** One comparison. `value`: as typed; for in and nin several values. */
export type Rule = { kind: 'rule'; key: number; name: string; operator: Operator; value: string }

/** Rules and groups: all (and) or at least one (or) must match. */
export type Group = { kind: 'group'; key: number; operator: 'and' | 'or'; parts: readonly Part[] }

/** A part of a stored filter that the form cannot show as rules, such as a comparison with a list. It stays unchanged. */
export type Kept = { kind: 'kept'; key: number; filter: unknown }

export type Part = Rule | Group | Kept

/** Filter values besides the inputs of an event. */
export const specialInputs: readonly EventInput[] = [
  { name: 'moralis_streams_contract_address', type: 'address', indexed: false },
  { name: 'moralis_streams_chain_id', type: 'uint256', indexed: false },
]

/** The inputs that the form can compare. Inputs without a name, or with the name of an earlier one, are ambiguous. */
export function comparable(inputs: readonly EventInput[]): EventInput[] {
  const named = new Map<string, EventInput>()
  for (const input of inputs) if (input.name !== '' && !named.has(input.name)) named.set(input.name, input)
  const single = [...named.values()].filter((input) => !hasParts(input))
  return [...single, ...specialInputs.filter(({ name }) => !named.has(name))]
}

/** Whether an input is a list or a tuple, whose values no field of the form can take. */
export function hasParts({ type }: EventInput): boolean {
  return /[\])]$/.test(type)
}

function typesOf(inputs: readonly EventInput[]): ReadonlyMap<string, string> {
  return new Map(comparable(inputs).map(({ name, type }) => [name, type]))
}

/** The comparisons that a type allows: only numbers have an order. */
export function operatorsOf(type: string | undefined): readonly Operator[] {
  return type === undefined || /^u?int\d*$/.test(type) ? operators : ['eq', 'ne', 'in', 'nin']
}

let lastKey = 0

/** Identifies the parts of a tree while others are removed. */
function newKey(): number {
  return ++lastKey
}

export function newGroup(operator: Group['operator'] = 'and', parts: readonly Part[] = []): Group {
  return { kind: 'group', key: newKey(), operator, parts }
}

export function newRule(name: string): Rule {
  return { kind: 'rule', key: newKey(), name, operator: 'eq', value: '' }
}

/** The filter in the API's format; undefined: no comparison. */
export function filterOf(group: Group, inputs: readonly EventInput[]): Record<string, unknown> | undefined {
  const types = typesOf(inputs)
  const parts = group.parts.flatMap((part) => {
    if (part.kind === 'kept') return [part.filter as Record<string, unknown>]
    const filter = part.kind === 'group' ? filterOf(part, inputs) : { [part.operator]: operandOf(part, types) }
    return filter ? [filter] : []
  })
  // The API rejects groups of one.
  return parts.length > 1 ? { [group.operator]: parts } : parts[0]
}

function operandOf({ name, operator, value }: Rule, types: ReadonlyMap<string, string>): [string, unknown] {
  const isText = types.get(name) === 'string'
  if (operator !== 'in' && operator !== 'nin') return [name, isText ? value : value.trim()]
  const values = value.split(isText ? '\n' : /[\s,]+/)
  return [name, values.filter((one) => one !== '')]
}

/** Converts a stream's filter to a tree. */
export function treeOf(filter: unknown, inputs: readonly EventInput[]): Group {
  if (Object.keys(filter ?? {}).length === 0) return newGroup()
  const part = partOf(filter, typesOf(inputs))
  return part.kind === 'group' ? part : newGroup('and', [part])
}

function partOf(filter: unknown, types: ReadonlyMap<string, string>): Part {
  const [[operator, operand] = [], ...others] = Object.entries(filter ?? {}) as [string, unknown][]
  if (others.length === 0 && Array.isArray(operand)) {
    if (operator === 'and' || operator === 'or')
      return newGroup(
        operator,
        operand.map((one) => partOf(one, types)),
      )
    const [name, value] = operand
    const values = [value].flat()
    const text = values.map(String).join('\n')
    const rule: Rule = { ...newRule(String(name)), operator: operator as Operator, value: text }
    // Fields show one value a line, and numbers as text.
    const isShown = operatorsOf(types.get(rule.name)).includes(rule.operator) && !values.some(isSeveralLines)
    const written = [name, Array.isArray(value) ? values.map(String) : text]
    if (types.has(rule.name) && isShown && JSON.stringify(operandOf(rule, types)) === JSON.stringify(written))
      return rule
  }
  return { kind: 'kept', key: newKey(), filter }
}

function isSeveralLines(value: unknown): boolean {
  return /[\r\n]/.test(String(value))
}
