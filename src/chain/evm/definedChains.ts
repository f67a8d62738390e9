import { readFileSync } from 'node:fs'

/**
 * A line of definedChains.artifact.json, which `npm run docs` makes from viem's definitions. A separate file for three reasons: viem's 700 modules
 * take half a second to load, some of its nodes are not public, and after an update of viem the diff shows the nodes that a server would use.
 */
export type DefinedChainRow = {
  /** The names under which viem exports the definition, in lower case (`basesepolia`). */
  names: string[]
  /** Its name as readable text (`Base Sepolia`), which other definitions may have too. */
  title: string
  /** EIP-155 id, which other definitions may have too. */
  id: number
  /** Public nodes: https alone, no address of a private network. */
  rpc: string[]
  /** Address of Multicall3 in lower case; omitted if it is the usual one, or unknown. */
  multicall?: string
}

let table: readonly DefinedChainRow[] | undefined

/** All definitions, in the order of their names. Read on first need, as most servers run chains of `knownChains` alone. */
export function definedChains(): readonly DefinedChainRow[] {
  table ??= JSON.parse(readFileSync(new URL('definedChains.artifact.json', import.meta.url), 'utf8'))
  return table!
}

/**
 * The definition under a name of viem (`baseSepolia`), else the only one with this title (`op mainnet`). Capitals and what is neither
 * letter nor digit make no difference: `base-sepolia` is the same.
 */
export function definedChain(name: string): DefinedChainRow | undefined {
  const wanted = plain(name)
  const named = definedChains().find(({ names }) => names.some((one) => plain(one) === wanted))
  if (named) return named
  const titled = titledAs(name)
  return titled.length === 1 ? titled[0] : undefined
}

/** The definitions that have a title, compared as names are. */
export function titledAs(title: string): DefinedChainRow[] {
  return definedChains().filter((chain) => plain(chain.title) === plain(title))
}

/** The definitions of an id that have a public node: several if viem has several chains, or kinds of nodes, of that id. */
export function definedAs(id: bigint): DefinedChainRow[] {
  return definedChains().filter((chain) => BigInt(chain.id) === id && chain.rpc.length > 0)
}

/** The names by which a defined chain can be requested, in lower case: those of viem, and its title where no other has it. */
export function aliasesOf(chain: DefinedChainRow): string[] {
  const title = chain.title.toLowerCase()
  const titles = definedChain(title) === chain ? [title, title.replaceAll(' ', '-')] : []
  return [...new Set([...chain.names, ...titles])]
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
