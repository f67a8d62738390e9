import { type EvmChain, type KnownChain, knownChains } from '../chain/evm/chains.ts'
import { knownChain, unknownChain } from '../chain/evm/knownChain.ts'
import type { Address } from '../util/hex.ts'
import type { Config } from './config.ts'

type Settings = Config['chains'][string]
/** A configured chain with its known defaults. */
type Named = { name: string; settings: Settings; known: KnownChain }

/** All chains of this server, `knownChains` first. */
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
    .map((one) => {
      const chain = chainOf(one.known, one)
      // An alias of viem yields to a chain with that name in Mintmark or the configuration.
      const taken = [...known.flatMap(({ names }) => names), ...Object.keys(chains).filter((name) => name !== one.name)]
      return { ...chain, names: chain.names.filter((name) => !taken.includes(name)) }
    })
  return [...known, ...others]
}

/** Limits of queued collections and wallets. `chainIds`: the chains that have nodes. */
export function demandLimits(config: Pick<Config, 'chains' | 'demand'>) {
  return { ...config.demand, chainIds: resolveChains(config).flatMap(({ id, rpc }) => (rpc.length > 0 ? [id] : [])) }
}

function knownAs(name: string, settings: Settings): KnownChain {
  return knownChain(name, settings) ?? { ...unknownChain, id: BigInt(settings.id ?? 0), names: [name] }
}

/** A chain with its configured settings. */
function chainOf(chain: KnownChain, named: Named | undefined): EvmChain {
  const { name, settings } = named ?? {}
  const multicall = settings?.multicall ?? chain.multicall
  return {
    id: chain.id,
    name: chain.names[0],
    names: [...new Set([...chain.names, ...(name === undefined ? [] : [name])])],
    rpc: settings?.rpc ?? chain.rpc,
    ...(multicall !== undefined && { multicall: multicall as Address }),
    confirmations: settings?.confirmations ?? chain.confirmations,
    finalityDepth: settings?.finalityDepth ?? chain.finalityDepth,
    pollIntervalMs: settings?.pollIntervalMs ?? chain.pollIntervalMs,
    ...(settings?.maxHeadAgeMs !== undefined && { maxHeadAgeMs: settings.maxHeadAgeMs }),
    wallets: settings?.wallets ?? (settings?.rpc ? 'chain' : 'indexed'),
    ...(settings?.discover !== undefined && { discover: settings.discover }),
    ...(settings?.bloom !== undefined && { bloom: settings.bloom }),
    configured: named !== undefined,
  }
}
