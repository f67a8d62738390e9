import type { z } from 'zod'
import { type chainSettings, neededOfChain } from './chain/evm/chainSettings.ts'
import { knownChains } from './chain/evm/chains.ts'
import { definedChainNames } from './chain/evm/definedChains.ts'
import { knownChain } from './chain/evm/knownChain.ts'
import type { NetworkSettings } from './coin/networkSettings.ts'
import { mostLike, type SourceOf, setBy } from './configFaults.ts'

type Chain = z.output<typeof chainSettings>

/**
 * What is wrong with the chains of a configuration beyond each setting alone: a setting that an unknown chain lacks, an id that is not the
 * known one, two names of one id.
 */
export function chainFaults(chains: Record<string, Chain>, sourceOf: SourceOf): string[] {
  const faults: string[] = []
  const byId = new Map<bigint, string>()
  for (const [name, chain] of Object.entries(chains)) {
    const known = knownChain(name, chain)
    const where = setBy(['chains', name], sourceOf)
    for (const [key, allowed] of Object.entries(neededOfChain))
      if (!known && chain[key as keyof typeof neededOfChain] === undefined)
        faults.push(
          `chains.${name}.${key} is missing, and "${name}" is not a known chain${meantBy(name)}; allowed: ${allowed}${where}`,
        )
    if (known && chain.id && BigInt(chain.id) !== known.id)
      faults.push(
        `chains.${name}.id is ${chain.id}, but ${name} is 0x${known.id.toString(16)}; take another name${where}`,
      )
    const id = known?.id ?? (chain.id ? BigInt(chain.id) : undefined)
    if (id === undefined) continue
    const other = byId.get(id)
    if (other) faults.push(`chains.${name} has the same id as chains.${other}${where}`)
    byId.set(id, name)
  }
  return faults
}

/** The chain that an unknown name most likely means, as the end of a sentence; one of `knownChains` rather than one of viem. */
function meantBy(name: string): string {
  const like = mostLike(
    name,
    knownChains.flatMap(({ names }) => names),
  )
  const meant = like ?? mostLike(name, definedChainNames())
  return meant === undefined ? '' : `; did you mean ${meant}?`
}

/** The networks of coins that have no source. */
export function networkFaults(networks: Record<string, NetworkSettings>, sourceOf: SourceOf): string[] {
  return Object.entries(networks)
    .filter(([, network]) => network.grpc === undefined && network.rest === undefined)
    .map(([name]) => `aptos.${name} has no source; allowed: grpc, rest, or both${setBy(['aptos', name], sourceOf)}`)
}
