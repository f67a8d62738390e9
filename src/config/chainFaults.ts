import type { z } from 'zod'
import { type chainSettings, neededOfChain } from '../chain/evm/chainSettings.ts'
import { type KnownChain, knownChains } from '../chain/evm/chains.ts'
import { definedAs, definedChain, definedChains, titledAs } from '../chain/evm/definedChains.ts'
import { knownChain } from '../chain/evm/knownChain.ts'
import type { NetworkSettings } from '../coin/networkSettings.ts'
import { quantity } from '../util/hex.ts'
import { nearest, type SourceOf, setBy } from './configFaults.ts'

type Chain = z.output<typeof chainSettings>

/**
 * Errors of configured chains across settings: a missing setting without a default, an id other than the known one, a
 * name that is another id, two names for one id.
 */
export function chainFaults(chains: Record<string, Chain>, sourceOf: SourceOf): string[] {
  const faults: string[] = []
  const byId = new Map<bigint, string>()
  for (const [name, chain] of Object.entries(chains)) {
    const known = knownChain(name, chain)
    const where = setBy(['chains', name], sourceOf)
    for (const [key, allowed] of Object.entries(neededOfChain)) {
      const why = whyNeeded(key as keyof typeof neededOfChain, name, chain, known)
      if (why !== undefined) faults.push(`chains.${name}.${key} is missing, ${why}; allowed: ${allowed}${where}`)
    }
    if (known && chain.id && BigInt(chain.id) !== known.id)
      faults.push(`chains.${name}.id is ${chain.id}, but ${name} is ${quantity(known.id)}; take another name${where}`)
    const id = known?.id ?? (chain.id ? BigInt(chain.id) : undefined)
    if (id === undefined) continue
    if (isId(name) && BigInt(name) !== id)
      faults.push(`chains.${name} has the id ${quantity(id)}, but its name is another id; take another name${where}`)
    const other = byId.get(id)
    if (other) faults.push(`chains.${name} has the same id as chains.${other}${where}`)
    byId.set(id, name)
  }
  return faults
}

/** Why a missing setting is required, as a part of a sentence; undefined if it is set or has a default. */
function whyNeeded(
  key: keyof typeof neededOfChain,
  name: string,
  chain: Chain,
  known: KnownChain | undefined,
): string | undefined {
  if (chain[key] !== undefined) return undefined
  if (known) return key === 'rpc' && known.rpc.length === 0 ? `and no public node of ${name} is known` : undefined
  const defined = definedChain(name)
  if (defined) return `and "${name}" is known as ${quantity(defined.id)}, not as ${chain.id}`
  if (chain.id === undefined) return `and "${name}" is not a known chain${meantBy(name)}`
  const several = definedAs(BigInt(chain.id)).flatMap(({ names }) => names)
  return several.length > 0
    ? `and ${chain.id} is the id of several known chains, which are requested by name: ${several.join(', ')}`
    : `and neither "${name}" nor ${chain.id} is a known chain`
}

/** Chains with a similar title or id, as the end of a sentence. */
function meantBy(name: string): string {
  const meant = [...titledAs(name), ...(isId(name) ? definedAs(BigInt(name)) : [])].flatMap(({ names }) => names)
  const all = [...knownChains, ...definedChains()].flatMap(({ names }) => names)
  const like = nearest(name.replace(/[ _-]?(mainnet|network|chain)$/, ''), all, 3)
  const [last, ...others] = [...new Set(meant.length > 0 ? meant : like)].reverse()
  if (last === undefined) return ''
  return `; did you mean ${others.length > 0 ? `${others.reverse().join(', ')} or ` : ''}${last}?`
}

function isId(name: string): boolean {
  return /^(0x[0-9a-f]{1,16}|[0-9]{1,18})$/.test(name)
}

/** Networks without a source. */
export function networkFaults(networks: Record<string, NetworkSettings>, sourceOf: SourceOf): string[] {
  return Object.entries(networks)
    .filter(([, network]) => network.grpc === undefined && network.rest === undefined)
    .map(([name]) => `aptos.${name} has no source; allowed: grpc, rest, or both${setBy(['aptos', name], sourceOf)}`)
}
