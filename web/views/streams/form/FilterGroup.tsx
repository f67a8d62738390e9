import {
  comparable,
  type Group,
  hasParts,
  type Kept,
  newGroup,
  newRule,
  operatorsOf,
  type Part,
  type Rule,
} from './filterTree.ts'
import type { EventInput } from './readAbi.ts'

const labels = {
  eq: 'is',
  ne: 'is not',
  lt: 'is less than',
  lte: 'is at most',
  gt: 'is more than',
  gte: 'is at least',
  in: 'is one of',
  nin: 'is none of',
} as const

const specials: Record<string, string> = {
  moralis_streams_contract_address: 'address of the contract',
  moralis_streams_chain_id: 'id of the chain',
}

/** Maximum nesting of groups in the form; the API allows a few more. */
const deepest = 4

/** A group of a filter: its comparisons, and groups within it. */
export function FilterGroup({
  group,
  inputs,
  change,
  remove,
  depth = 0,
}: {
  group: Group
  inputs: readonly EventInput[]
  change(group: Group): void
  /** Omitted for the root group, which stays. */
  remove?(): void
  depth?: number
}) {
  const choices = comparable(inputs)
  const setPart = (part: Part) =>
    change({ ...group, parts: group.parts.map((old) => (old.key === part.key ? part : old)) })
  const without = (part: Part) => change({ ...group, parts: group.parts.filter((old) => old.key !== part.key) })
  const add = (part: Part) => change({ ...group, parts: [...group.parts, part] })
  return (
    <fieldset class="filter-group">
      <legend class={depth === 0 ? undefined : 'unseen'}>{depth === 0 ? 'Filter' : 'Group of conditions'}</legend>
      {(group.parts.length > 1 || depth > 0) && (
        <div class="actions">
          <select
            aria-label="Conditions to match"
            value={group.operator}
            onChange={(event) => change({ ...group, operator: event.currentTarget.value === 'or' ? 'or' : 'and' })}
          >
            <option value="and">All conditions</option>
            <option value="or">Any condition</option>
          </select>
          {remove && (
            <button type="button" class="quiet" onClick={remove}>
              Remove group
            </button>
          )}
        </div>
      )}
      {group.parts.map((part) =>
        part.kind === 'group' ? (
          <FilterGroup
            key={part.key}
            group={part}
            inputs={inputs}
            change={setPart}
            remove={() => without(part)}
            depth={depth + 1}
          />
        ) : part.kind === 'kept' ? (
          <KeptPart key={part.key} part={part} remove={() => without(part)} />
        ) : (
          <FilterRule key={part.key} rule={part} choices={choices} change={setPart} remove={() => without(part)} />
        ),
      )}
      <div class="actions">
        <button type="button" onClick={() => add(newRule(choices[0]!.name))}>
          Add condition
        </button>
        {depth < deepest && (
          <button type="button" onClick={() => add(newGroup('or', [newRule(choices[0]!.name)]))}>
            Add group
          </button>
        )}
      </div>
      {depth === 0 && inputs.some(hasParts) && (
        <p class="hint">Conditions on lists and tuples need the API: the form offers none.</p>
      )}
    </fieldset>
  )
}

function KeptPart({ part, remove }: { part: Kept; remove(): void }) {
  return (
    <div>
      <div class="actions">
        <code class="line">
          <bdi>{JSON.stringify(part.filter)}</bdi>
        </code>
        <button type="button" class="quiet" aria-label="Remove the condition" onClick={remove}>
          <span aria-hidden="true">✕</span>
        </button>
      </div>
      <p class="hint">The form cannot edit this condition, and keeps it unchanged.</p>
    </div>
  )
}

function FilterRule({
  rule,
  choices,
  change,
  remove,
}: {
  rule: Rule
  choices: readonly EventInput[]
  change(rule: Rule): void
  remove(): void
}) {
  const type = choices.find(({ name }) => name === rule.name)?.type
  const operators = operatorsOf(type)
  const rename = (name: string) => {
    const allowed = operatorsOf(choices.find((choice) => choice.name === name)?.type)
    change({ ...rule, name, operator: allowed.includes(rule.operator) ? rule.operator : 'eq' })
  }
  return (
    <div class="filter-rule">
      <select aria-label="Input" value={rule.name} onChange={(event) => rename(event.currentTarget.value)}>
        {type === undefined && <option value={rule.name}>{rule.name} (not in the ABI)</option>}
        {choices.map(({ name, type: of }) => (
          <option key={name} value={name}>
            {specials[name] ?? `${name} (${of})`}
          </option>
        ))}
      </select>
      <select
        aria-label="Comparison"
        value={rule.operator}
        onChange={(event) => change({ ...rule, operator: event.currentTarget.value as Rule['operator'] })}
      >
        {operators.map((operator) => (
          <option key={operator} value={operator}>
            {labels[operator]}
          </option>
        ))}
      </select>
      <RuleValue rule={rule} type={type} change={change} />
      <button type="button" class="quiet" aria-label={`Remove the condition on ${rule.name}`} onClick={remove}>
        <span aria-hidden="true">✕</span>
      </button>
    </div>
  )
}

function RuleValue({ rule, type, change }: { rule: Rule; type: string | undefined; change(rule: Rule): void }) {
  const set = (event: { currentTarget: { value: string } }) => change({ ...rule, value: event.currentTarget.value })
  if (rule.operator === 'in' || rule.operator === 'nin')
    return <textarea aria-label="Values" rows={3} placeholder="one per line" value={rule.value} onInput={set} />
  if (type === 'bool')
    return (
      <select aria-label="Value" value={rule.value} onChange={set}>
        <option value="">choose</option>
        <option value="true">true</option>
        <option value="false">false</option>
      </select>
    )
  const isNumber = /^u?int/.test(type ?? '')
  return (
    <input
      aria-label="Value"
      autocomplete="off"
      spellcheck={false}
      placeholder={isNumber ? 'whole number, in the smallest unit' : type === 'address' ? '0x…' : (type ?? '')}
      inputMode={isNumber ? 'numeric' : 'text'}
      value={rule.value}
      onInput={set}
    />
  )
}
