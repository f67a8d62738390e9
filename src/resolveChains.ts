import { type EvmChain, type KnownChain, knownChains } from './chain/evm/chains.ts'
import { knownChain, unknownChain } from './chain/evm/knownChain.ts'
import type { Config } from './config.ts'

type Settings = Config['chains'][string]
/** A chain of the configuration, and what Mintmark or viem knows of it. */
type Named = { name: string; settings: Settings; known: KnownChain }

/** All chains of this server, those of `knownChains` first. */
export function resolveChains({ chains }: Pick<Config, 'chains'>): EvmChain[] {
  const named = Object.entries(chains).map(([name, settings]) => ({ name, settings, known: knownAs(name, settings) }))
  const known = knownChains.map((chain) =>
    chainOf(
      chain,
      named.find((one) => one.known.id === chain.id),
    ),
  )
  const others = named
    .filter((one) => !knownChains.some(({ id }) => id === one.known.id))
    .map((one) => chainOf(one.known, one))
  return [...known, ...others]
}

function knownAs(name: string, settings: Settings): KnownChain {
  return knownChain(name, settings) ?? { ...unknownChain, id: BigInt(settings.id ?? 0), names: [name] }
}

/** A chain with the configuration over it. */
function chainOf(chain: KnownChain, named: Named | undefined): EvmChain {
  const { name, settings } = named ?? {}
  return {
    id: chain.id,
    name: chain.names[0],
    names: [...new Set([...chain.names, ...(name === undefined ? [] : [name])])],
    rpc: settings?.rpc ?? chain.rpc,
    confirmations: settings?.confirmations ?? chain.confirmations,
    finalityDepth: settings?.finalityDepth ?? chain.finalityDepth,
    pollIntervalMs: settings?.pollIntervalMs ?? chain.pollIntervalMs,
    ...(settings?.maxHeadAgeMs !== undefined && { maxHeadAgeMs: settings.maxHeadAgeMs }),
    ...(settings?.bloom !== undefined && { bloom: settings.bloom }),
    configured: named !== undefined,
  }
}
