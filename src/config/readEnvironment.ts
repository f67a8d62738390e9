import type { z } from 'zod'
import { allowedBy, bare, partsOf } from '../util/allowed.ts'
import { configSchema } from './config.ts'
import { mostLike, settingPaths, shapeOf } from './configFaults.ts'
import type { ConfigLayer } from './configLayer.ts'

export type Environment = Record<string, string | undefined>

/**
 * Parses `MINTMARK_PORT=8080`, `MINTMARK_RATE_LIMIT__BURST=10`, `MINTMARK_CHAINS={"local":{…}}`. `_` separates words,
 * `__` levels; a value other than text is JSON. An empty value counts as unset, as compose files write it.
 */
export function readEnvironment(env: Environment): { layers: ConfigLayer[]; faults: string[] } {
  const settings = Object.entries(env)
    .filter(([name, text]) => name.startsWith(prefix) && text !== undefined && text !== '')
    .map(([name, text]) => ({ name, text: text as string, path: settingPath(name) }))
    // Single fields override their whole group.
    .sort((a, b) => a.path.length - b.path.length)
  const layers: ConfigLayer[] = []
  const faults: string[] = []
  for (const { name, text, path } of settings) {
    const field = fieldAt(path)
    if (!field) faults.push(unknownVariable(name, path))
    else {
      const value = fromText(text, field)
      if (typeof value === 'string' && isCompound(field))
        faults.push(`${name} is not JSON; allowed: ${allowedBy(field)}, within single quotes where a shell reads it`)
      else layers.push({ source: name, values: nest(path, value) })
    }
  }
  return { layers, faults }
}

const prefix = 'MINTMARK_'

function settingPath(name: string): string[] {
  return name
    .slice(prefix.length)
    .split('__')
    .map((part) => part.toLowerCase().replace(/_([a-z0-9])/g, (_, c: string) => c.toUpperCase()))
}

function variableOf(path: readonly string[]): string {
  return prefix + path.map((part) => part.replaceAll(/[A-Z]/g, '_$&').toUpperCase()).join('__')
}

function unknownVariable(name: string, path: readonly string[]): string {
  for (let length = path.length - 1; length > 0; length--) {
    const above = path.slice(0, length)
    const field = fieldAt(above)
    if (field && kindOf(field) === 'record')
      return `${name} is not a setting; allowed: ${variableOf(above)}, which holds all of ${above.join('.')} as JSON`
  }
  const variables = settingPaths(configSchema).map((known) => variableOf(known).slice(prefix.length))
  const meant = mostLike(name.slice(prefix.length), variables)
  return `${name} is not a setting; ${meant ? `did you mean ${prefix}${meant}?` : 'allowed: the names in docs/configuration.md, as MINTMARK_RATE_LIMIT__BURST for rateLimit.burst'}`
}

function nest(path: string[], value: unknown): unknown {
  return path.reduceRight((inner, part) => ({ [part]: inner }), value)
}

function kindOf(field: z.ZodType): string {
  return partsOf(bare(field)).type
}

/** Whether its values must be JSON. */
function isCompound(field: z.ZodType): boolean {
  return ['object', 'record', 'array'].includes(kindOf(field))
}

function fieldAt([part, ...rest]: readonly string[], field: z.ZodType = configSchema): z.ZodType | undefined {
  if (part === undefined) return field
  const shape = shapeOf(field) ?? {}
  return Object.hasOwn(shape, part) ? fieldAt(rest, shape[part]) : undefined
}

function fromText(text: string, field: z.ZodType): unknown {
  if (['string', 'enum'].includes(kindOf(field))) return text === 'null' && field.safeParse(null).success ? null : text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
