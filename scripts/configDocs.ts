import { z } from 'zod'
import { knownChains } from '../src/chain/evm/chains.ts'
import { configSchema } from '../src/config/config.ts'
import { quantity } from '../src/util/hex.ts'

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

const head = `# Configuration

After this page you can configure a server by a file, environment variables or flags.

Settings come from a file \`mintmark.config.ts\`, \`.js\` or \`.json\` in the folder where \`mintmark\` is started (or
\`--config FILE\`). Environment variables \`MINTMARK_…\` override the file, and flags override both. If a setting is
unknown or a value is invalid, the server does not start and lists every such error. A \`.ts\` or \`.js\` file exports the object as \`default\`, with the type
\`import type { ConfigInput } from 'mintmark'\`.

Names of environment variables have \`_\` between words and \`__\` between levels: \`MINTMARK_PORT=8080\`, \`MINTMARK_RATE_LIMIT__BURST=100\`.
Values other than text are JSON: \`MINTMARK_CHAINS='{"local":{"id":"0x7a69","rpc":["http://127.0.0.1:8545"]}}'\`.

<!-- Written by \`npm run docs\` from src/config/config.ts. -->

| setting | default | values | meaning |
|---|---|---|---|
`

/** Returns the text of docs/configuration.md, from the schema that validates the configuration. */
export function configDocs(): string {
  const schema = z.toJSONSchema(configSchema, { io: 'input' }) as Schema
  return `${head}${rows(schema, '').join('\n')}\n${chains()}`
}

function chains(): string {
  const lines = knownChains.map(
    ({ id, names, confirmations, finalityDepth, pollIntervalMs, rpc }) =>
      `| ${names.map((name) => `\`${name}\``).join(', ')} | ${quantity(id)} | ${confirmations} | ${finalityDepth} | ${pollIntervalMs} | ${rpc.map((url) => new URL(url).host).join(', ') || 'none'} |`,
  )
  return `
## Chains that every server knows

These chains need no configuration: the first request for a chain starts it. To add a chain that viem defines, its name is enough, as in
\`"base": {}\`. A custom chain, such as a private or development chain, needs \`id\` and \`rpc\`.

| names | id | confirmations | finalityDepth | pollIntervalMs | public nodes |
|---|---|---:|---:|---:|---|
${lines.join('\n')}
`
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
