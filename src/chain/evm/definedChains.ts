import { readFileSync } from 'node:fs'

/**
 * A line of definedChains.artifact.json, which `npm run docs` generates from viem's definitions. It is a separate file, as viem's 700 modules take
 * half a second to load and some of its nodes are not public. After an update of viem, the diff shows the nodes that a server would use.
 */
export type DefinedChainRow = {
  /** The names under which viem exports the definition, in lower case (`basesepolia`). */
  names: string[]
  /** Its display name (`Base Sepolia`), which other definitions may share. */
  title: string
  /** EIP-155 id, which other definitions may share. */
  id: number
  /** Public nodes: only https, no private network address. */
  rpc: string[]
  /** Address of Multicall3 in lower case; omitted if it is the usual one, or unknown. */
  multicall?: string
}

let table: readonly DefinedChainRow[] | undefined

/** All definitions, ordered by name. Loaded on first use, as most servers run only chains of `knownChains`. */
export function definedChains(): readonly DefinedChainRow[] {
  table ??= JSON.parse(readFileSync(new URL('definedChains.artifact.json', import.meta.url), 'utf8'))
  return table!
}

/**
 * The definition with this viem name (`baseSepolia`), otherwise the only one with this title (`op mainnet`). Case and characters other than letters
 * and digits are ignored: `base-sepolia` is the same.
 */
export function definedChain(name: string): DefinedChainRow | undefined {
  const wanted = plain(name)
  const named = definedChains().find(({ names }) => names.some((one) => plain(one) === wanted))
  if (named) return named
  const titled = titledAs(name)
  return titled.length === 1 ? titled[0] : undefined
}

/** The definitions with this title, compared like names. */
export function titledAs(title: string): DefinedChainRow[] {
  return definedChains().filter((chain) => plain(chain.title) === plain(title))
}

/** The definitions of an id that have a public node: several if viem has several chains, or kinds of nodes, with that id. */
export function definedAs(id: bigint): DefinedChainRow[] {
  return definedChains().filter((chain) => BigInt(chain.id) === id && chain.rpc.length > 0)
}

/** The names by which a defined chain can be requested, in lower case: its viem names, and its title if it is unique. */
export function aliasesOf(chain: DefinedChainRow): string[] {
  const title = chain.title.toLowerCase()
  const titles = definedChain(title) === chain ? [title, title.replaceAll(' ', '-')] : []
  return [...new Set([...chain.names, ...titles])]
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
