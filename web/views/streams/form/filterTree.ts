import type { EventInput } from './readAbi.ts'

export const operators = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'nin'] as const
export type Operator = (typeof operators)[number]

/** One comparison. `value`: as typed; for in and nin several values. */
export type Rule = { kind: 'rule'; key: number; name: string; operator: Operator; value: string }

/** Rules and groups: all (and) or at least one (or) must match. */
export type Group = { kind: 'group'; key: number; operator: 'and' | 'or'; parts: readonly Part[] }

export type Part = Rule | Group

/** Filter values besides the inputs of an event. */
export const specialInputs: readonly EventInput[] = [
  { name: 'moralis_streams_contract_address', type: 'address', indexed: false },
  { name: 'moralis_streams_chain_id', type: 'uint256', indexed: false },
]

/** The inputs that a filter can use. Inputs without a name, or with the name of an earlier one, are ambiguous. */
export function comparable(inputs: readonly EventInput[]): EventInput[] {
  const named = new Map<string, EventInput>()
  for (const input of inputs) if (input.name !== '' && !named.has(input.name)) named.set(input.name, input)
  return [...named.values(), ...specialInputs.filter(({ name }) => !named.has(name))]
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
  const types = new Map(comparable(inputs).map(({ name, type }) => [name, type]))
  const parts = group.parts.flatMap((part) => {
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
export function treeOf(filter: unknown): Group {
  const part = filter ? partOf(filter) : undefined
  if (!part) return newGroup()
  return part.kind === 'group' ? part : newGroup('and', [part])
}

function partOf(filter: unknown): Part | undefined {
  const [entry] = Object.entries((filter ?? {}) as Record<string, unknown>)
  if (!entry || !Array.isArray(entry[1])) return undefined
  const [operator, operand] = entry as [string, unknown[]]
  if (operator === 'and' || operator === 'or')
    return newGroup(
      operator,
      operand.flatMap((one) => partOf(one) ?? []),
    )
  const [name, value] = operand
  return {
    ...newRule(String(name)),
    operator: operator as Operator,
    value: Array.isArray(value) ? value.map(String).join('\n') : String(value),
  }
}
