import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** What a server takes from viem's definition of a chain. */
export type DefinedChain = {
  /** EIP-155 id. */
  id: bigint
  /** Public nodes. */
  rpc: readonly string[]
}

type Definition = { id: number; rpcUrls: { default: { http: readonly string[] } } }

const require = createRequire(import.meta.url)
/** Definitions by the names that were asked for: every command and many requests resolve the configuration. */
const found = new Map<string, DefinedChain | undefined>()

/**
 * The chain that viem's definitions have under a name (`base`, `baseSepolia`). Capitals and what is neither letter nor digit make no
 * difference: `base-sepolia` is the same.
 */
export function definedChain(name: string): DefinedChain | undefined {
  if (!found.has(name)) found.set(name, readDefinition(name))
  return found.get(name)
}

function readDefinition(name: string): DefinedChain | undefined {
  const definition = inOwnFile(name) ?? namedAs(name, allDefinitions())
  return definition && { id: BigInt(definition.id), rpc: definition.rpcUrls.default.http }
}

/** The names of all definitions as a configuration may have them. Loads all of them, which takes half a second. */
export function definedChainNames(): string[] {
  return Object.keys(allDefinitions()).map(plain)
}

/** Most definitions are in a file of their own, which loads ten times as fast as all of them. */
function inOwnFile(name: string): Definition | undefined {
  const folder = join(dirname(require.resolve('viem/chains')), 'definitions')
  const file = readdirSync(folder).find((entry) => entry.endsWith('.js') && plain(entry.slice(0, -3)) === plain(name))
  return file === undefined ? undefined : namedAs(name, require(join(folder, file)))
}

function allDefinitions(): Record<string, unknown> {
  return require('viem/chains')
}

function namedAs(name: string, definitions: Record<string, unknown>): Definition | undefined {
  const found = Object.entries(definitions).find(([key, value]) => plain(key) === plain(name) && isDefinition(value))
  return found?.[1] as Definition | undefined
}

/** Functions are exported beside the definitions. */
function isDefinition(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'id' in value && 'rpcUrls' in value
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
