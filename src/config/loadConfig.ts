import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ConfigError } from '../util/errors.ts'
import { type Config, parseConfig } from './config.ts'
import { type ConfigLayer, isPlain, mergeLayers, sourceOf } from './configLayer.ts'
import { type Environment, readEnvironment } from './readEnvironment.ts'

const fileNames = ['mintmark.config.ts', 'mintmark.config.js', 'mintmark.config.json']

export type ConfigPlaces = {
  file?: string | undefined
  /** By setting name. */
  flags?: Record<string, unknown>
  env?: Environment
  cwd?: string
}

/**
 * Reads the configuration: a file, overridden by `MINTMARK_…` variables, overridden by flags. Throws ConfigError with
 * all errors.
 */
export async function loadConfig(places: ConfigPlaces): Promise<Config> {
  return (await loadLayers(places)).config
}

/** The configuration with all its layers, the highest priority last. */
export async function loadLayers(places: ConfigPlaces): Promise<{ config: Config; layers: ConfigLayer[] }> {
  const cwd = places.cwd ?? process.cwd()
  const path = places.file
    ? resolve(cwd, places.file)
    : fileNames.map((name) => resolve(cwd, name)).find((name) => existsSync(name))
  const fromFile = path ? [{ source: path, values: await readConfigFile(path) }] : []
  const { layers: fromEnvironment, faults } = readEnvironment(places.env ?? environment())
  const layers = [...fromFile, ...fromEnvironment, ...readFlags(places.flags ?? {})]
  return { config: parseConfig(mergeLayers(layers), { found: faults, sourceOf: (at) => sourceOf(layers, at) }), layers }
}

/** Whether the environment sets level debug, before the configuration is read. */
export function isDebugging(env: Environment = environment()): boolean {
  return env.MINTMARK_LOG_LEVEL === 'debug'
}

function environment(): Environment {
  // biome-ignore lint/style/noProcessEnv: the one place that reads the environment
  return process.env
}

/** Reason and remedy for an unreadable file, by system error code. */
const fileFaults: Record<string, string> = {
  EACCES: 'this user may not read it; change its owner or its mode',
  EISDIR: 'it is a folder, not a file',
}

async function readConfigFile(path: string): Promise<unknown> {
  if (!existsSync(path)) throw new ConfigError(`the configuration file ${path} does not exist`)
  const value = await (path.endsWith('.json') ? readJson(path) : readModule(path)).catch((cause: unknown) => {
    const why = fileFaults[(cause as NodeJS.ErrnoException).code ?? '']
    if (why !== undefined) throw new ConfigError(`the configuration file ${path} cannot be read: ${why}`)
    throw new ConfigError(`the configuration file ${path} cannot be read`, { cause })
  })
  if (value === undefined) throw new ConfigError(`the configuration file ${path} has no default export`)
  if (!isPlain(value))
    throw new ConfigError(
      `the configuration file ${path} holds ${kindOf(value)}; allowed: an object such as { "port": 8080 }`,
    )
  return value
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'string' ? 'text' : `a ${typeof value}`
}

/** The default export of a module. Runtime messages may quote keys, so only the line is reported. */
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

/** The value of a JSON file. Parser messages may quote keys, so only the line is reported. */
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

/** Flags that are named differently from their settings. */
const flagNames: Record<string, string> = { dataDir: '--data', databaseUrl: '--database-url' }

function readFlags(flags: Record<string, unknown>): ConfigLayer[] {
  return Object.entries(flags)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({ source: flagNames[name] ?? `--${name}`, values: { [name]: value } }))
}
