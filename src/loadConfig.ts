import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { type Config, configSchema, parseConfig } from './config.ts'
import { ConfigError } from './errors.ts'

const fileNames = ['mintmark.config.ts', 'mintmark.config.js', 'mintmark.config.json']

export type ConfigPlaces = {
  file?: string | undefined
  /** By the name of the setting. */
  flags?: Record<string, unknown>
  env?: Environment
  cwd?: string
}

/** What one place says of the configuration: the path of a file, the name of a variable, or a flag. */
export type ConfigLayer = { source: string; values: unknown }

/** The configuration's one place after another: file, then `MINTMARK_…` variables, then flags. Every fault is listed. */
export async function loadConfig(places: ConfigPlaces): Promise<Config> {
  return (await loadLayers(places)).config
}

/** The same, with what each place says of it, the one that has the last word last. */
export async function loadLayers(places: ConfigPlaces): Promise<{ config: Config; layers: ConfigLayer[] }> {
  const cwd = places.cwd ?? process.cwd()
  const path = places.file
    ? resolve(cwd, places.file)
    : fileNames.map((name) => resolve(cwd, name)).find((name) => existsSync(name))
  const fromFile = path ? [{ source: path, values: await readConfigFile(path) }] : []
  const { layers: fromEnvironment, faults } = readEnvironment(places.env ?? environment())
  const layers = [...fromFile, ...fromEnvironment, ...readFlags(places.flags ?? {})]
  const values = layers.reduce<unknown>((below, layer) => merge(below, layer.values), {})
  return { config: parseConfig(values, faults), layers }
}

/** Where the value at `path` of the configuration comes from; undefined for a default. */
export function sourceOf(layers: readonly ConfigLayer[], path: readonly string[]): string | undefined {
  return layers.findLast(({ values }) => valueAt(values, path) !== undefined)?.source
}

function valueAt(values: unknown, path: readonly string[]): unknown {
  return path.reduce((at, part) => (isPlain(at) && Object.hasOwn(at, part) ? at[part] : undefined), values)
}

/** Whether the environment asks for everything to be told, before any configuration is read. */
export function isDebugging(env: Environment = environment()): boolean {
  return env.MINTMARK_LOG_LEVEL === 'debug'
}

type Environment = Record<string, string | undefined>

function environment(): Environment {
  // biome-ignore lint/style/noProcessEnv: the one place that reads the environment
  return process.env
}

async function readConfigFile(path: string): Promise<unknown> {
  if (!existsSync(path)) throw new ConfigError(`the configuration file ${path} does not exist`)
  const value = await (path.endsWith('.json') ? readJson(path) : readModule(path)).catch((cause: unknown) => {
    throw new ConfigError(`the configuration file ${path} cannot be read`, { cause })
  })
  if (value === undefined) throw new ConfigError(`the configuration file ${path} has no default export`)
  return value
}

/** Its default export. What the runtime says of a program quotes it, and with it what may be a key: only the place is told. */
async function readModule(path: string): Promise<unknown> {
  try {
    return ((await import(pathToFileURL(path).href)) as { default?: unknown }).default
  } catch (error) {
    const quotes = error instanceof SyntaxError || error instanceof ReferenceError || error instanceof TypeError
    if (!quotes) throw error
    const frame = error.stack?.split('\n').find((line) => line.includes(path)) ?? ''
    throw new Error(error.name + atLine(/:(\d+)(?::\d+)?\)?$/.exec(frame)?.[1]))
  }
}

/** The parser quotes as well. */
async function readJson(path: string): Promise<unknown> {
  const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch (error) {
    const { message } = error as SyntaxError
    const quoted = /"(.*)"(?:\.{3})? is not valid JSON$/s.exec(message)?.[1]
    const before = quoted === undefined ? [] : text.slice(0, text.indexOf(quoted)).split('\n')
    throw new Error(`no JSON${atLine(/\(line (\d+)/.exec(message)?.[1] ?? (before.length || undefined))}`)
  }
}

function atLine(line: string | number | undefined): string {
  return line === undefined ? '' : ` at line ${line}`
}

/**
 * `MINTMARK_PORT=8080`, `MINTMARK_RATE_LIMIT__BURST=10`, `MINTMARK_CHAINS={"local":{…}}`: words by `_`, levels by `__`,
 * a value that is JSON where the field is no text. An empty value counts as none, as compose files write it.
 */
function readEnvironment(env: Environment): { layers: ConfigLayer[]; faults: string[] } {
  const settings = Object.entries(env)
    .filter(([name, text]) => name.startsWith('MINTMARK_') && text !== undefined && text !== '')
    .map(([name, text]) => ({ name, text: text as string, path: settingPath(name) }))
    // A level as a whole goes below its single fields.
    .sort((a, b) => a.path.length - b.path.length)
  const layers: ConfigLayer[] = []
  const faults: string[] = []
  for (const { name, text, path } of settings) {
    const field = fieldAt(path)
    if (field) layers.push({ source: name, values: nest(path, fromText(text, field)) })
    else faults.push(`${name}: no such setting`)
  }
  return { layers, faults }
}

/** What flags are called that have not the name of their setting. */
const flagNames: Record<string, string> = { dataDir: '--data', databaseUrl: '--database-url' }

function readFlags(flags: Record<string, unknown>): ConfigLayer[] {
  return Object.entries(flags)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({ source: flagNames[name] ?? `--${name}`, values: { [name]: value } }))
}

function settingPath(name: string): string[] {
  return name
    .slice('MINTMARK_'.length)
    .split('__')
    .map((part) => part.toLowerCase().replace(/_([a-z0-9])/g, (_, c: string) => c.toUpperCase()))
}

function nest(path: string[], value: unknown): unknown {
  return path.reduceRight((inner, part) => ({ [part]: inner }), value)
}

function unwrap(field: z.ZodType): z.ZodType {
  let inner = field
  while (
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodPrefault ||
    inner instanceof z.ZodNullable ||
    inner instanceof z.ZodOptional
  )
    inner = inner.unwrap() as z.ZodType
  return inner
}

function fieldAt(path: string[]): z.ZodType | undefined {
  let field: z.ZodType | undefined = configSchema
  for (const part of path) {
    const inner: z.ZodType = unwrap(field)
    field = inner instanceof z.ZodObject && Object.hasOwn(inner.shape, part) ? inner.shape[part] : undefined
    if (!field) return undefined
  }
  return field
}

function fromText(text: string, field: z.ZodType): unknown {
  const inner = unwrap(field)
  if (inner instanceof z.ZodString || inner instanceof z.ZodEnum)
    return text === 'null' && field.safeParse(null).success ? null : text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function merge(below: unknown, above: unknown): unknown {
  if (!isPlain(below) || !isPlain(above)) return above === undefined ? below : above
  const merged: Record<string, unknown> = { ...below }
  for (const [key, value] of Object.entries(above)) merged[key] = merge(merged[key], value)
  return merged
}
