import { type EvmChain, type KnownChain, knownChains } from './chain/evm/chains.ts'
import type { Config } from './config.ts'

type Named = [name: string, settings: Config['chains'][string]]

/** What a chain that is not known has where the configuration leaves it out. */
const unknownChain = { rpc: [], confirmations: 12, finalityDepth: 64, pollIntervalMs: 1_000 }

/** All chains of this server, the twelve known ones first. */
export function resolveChains({ chains }: Pick<Config, 'chains'>): EvmChain[] {
  const named = Object.entries(chains)
  const known = knownChains.map((chain) =>
    chainOf(
      chain,
      named.find((one) => idOf(one) === chain.id),
    ),
  )
  const others = named
    .filter((one) => !knownChains.some(({ id }) => id === idOf(one)))
    .map((one) => chainOf({ ...unknownChain, id: idOf(one), names: [one[0]] }, one))
  return [...known, ...others]
}

function idOf([name, { id }]: Named): bigint {
  return knownChains.find(({ names }) => names.includes(name))?.id ?? BigInt(id ?? 0)
}

/** A chain with the configuration over it. */
function chainOf(chain: KnownChain, named: Named | undefined): EvmChain {
  const [name, settings] = named ?? []
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
