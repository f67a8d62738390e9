import { z } from 'zod'
import { knownChains } from '../src/chain/evm/chains.ts'
import { configSchema } from '../src/config/config.ts'
import { quantity } from '../src/util/hex.ts'
import { withParts } from './writtenParts.ts'

type Schema = {
  type?: string | string[]
  description?: string
  default?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
}

/** Returns docs/configuration.md with the settings of the schema that validates the configuration, and the known chains. */
export function configDocs(page: string): string {
  const schema = z.toJSONSchema(configSchema, { io: 'input' }) as Schema
  const settings = ['| setting | default | values | meaning |', '|---|---|---|---|', ...rows(schema, '')]
  const chains = knownChains.map(
    ({ id, names, confirmations, finalityDepth, pollIntervalMs, rpc }) =>
      `| ${names.map((name) => `\`${name}\``).join(', ')} | ${quantity(id)} | ${confirmations} | ${finalityDepth} | ${pollIntervalMs} | ${rpc.map((url) => new URL(url).host).join(', ') || 'none'} |`,
  )
  const head = [
    '| names | id | confirmations | finalityDepth | pollIntervalMs | public nodes |',
    '|---|---|---:|---:|---:|---|',
  ]
  return withParts(page, [settings.join('\n'), [...head, ...chains].join('\n')])
}

function rows(schema: Schema, prefix: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix + name
    const object = field.properties ? field : undefined
    const record = typeof field.additionalProperties === 'object' ? field.additionalProperties : undefined
    const nullable = field.anyOf?.find(({ properties }) => properties)
    const inner = object ?? nullable
    const own = object ? [] : [row(path, field)]
    return [...own, ...(inner ? rows(inner, `${path}.`) : []), ...(record ? rows(record, `${path}.NAME.`) : [])]
  })
}

function row(path: string, field: Schema): string {
  const standard = field.default === undefined ? '' : `\`${JSON.stringify(field.default)}\``
  return `| \`${path}\` | ${standard} | ${values(field)} | ${(field.description ?? '').replaceAll('|', '\\|')} |`
}

function values(field: Schema): string {
  if (field.anyOf) return field.anyOf.map(values).join(' or ')
  if (field.enum) return field.enum.map((value) => `\`${value}\``).join(', ')
  if (field.type === 'array') return `list of ${values(field.items ?? {}).replace('number', 'numbers')}`
  if (field.type === 'integer' || field.type === 'number') {
    const name = field.type === 'integer' ? 'whole number' : 'number'
    const from = field.minimum !== undefined && field.minimum > -1e15 ? field.minimum : undefined
    const to = field.maximum !== undefined && field.maximum < 1e15 ? field.maximum : undefined
    if (field.exclusiveMinimum !== undefined) return `${name} above ${field.exclusiveMinimum}${to ? `, to ${to}` : ''}`
    if (from !== undefined && to !== undefined) return `${name}, ${from} to ${to}`
    return from === undefined ? (to === undefined ? name : `${name} to ${to}`) : `${name} from ${from}`
  }
  if (field.properties) return `{ ${Object.keys(field.properties).join(', ')} }`
  return (
    ({ string: 'text', boolean: 'true or false', null: 'null', object: 'by name' } as Record<string, string>)[
      String(field.type)
    ] ?? ''
  )
}
