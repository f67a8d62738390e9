import { parameter } from '../http/parameters.ts'
import { type ApiChain, enabledChains } from '../nft/chains.ts'

/** Alchemy's names of the networks whose NFTs it serves, with the chain's id. */
const networks: Readonly<Record<string, bigint>> = {
  'eth-mainnet': 1n,
  'eth-goerli': 5n,
  'eth-sepolia': 11_155_111n,
  'eth-holesky': 17_000n,
  'eth-hoodi': 560_048n,
  'polygon-mainnet': 137n,
  'polygon-mumbai': 80_001n,
  'polygon-amoy': 80_002n,
  'arb-mainnet': 42_161n,
  'arb-sepolia': 421_614n,
  'arbnova-mainnet': 42_170n,
  'opt-mainnet': 10n,
  'opt-sepolia': 11_155_420n,
  'base-mainnet': 8_453n,
  'base-sepolia': 84_532n,
  'bnb-mainnet': 56n,
  'bnb-testnet': 97n,
  'avax-mainnet': 43_114n,
  'avax-fuji': 43_113n,
  'fantom-mainnet': 250n,
  'gnosis-mainnet': 100n,
  'zksync-mainnet': 324n,
  'zksync-sepolia': 300n,
  'zora-mainnet': 7_777_777n,
  'linea-mainnet': 59_144n,
  'scroll-mainnet': 534_352n,
  'blast-mainnet': 81_457n,
  'mantle-mainnet': 5_000n,
  'celo-mainnet': 42_220n,
  'apechain-mainnet': 33_139n,
  'abstract-mainnet': 2_741n,
  'worldchain-mainnet': 480n,
  'shape-mainnet': 360n,
  'unichain-mainnet': 130n,
  'soneium-mainnet': 1_868n,
  'ink-mainnet': 57_073n,
  'berachain-mainnet': 80_094n,
  'ronin-mainnet': 2_020n,
  'polygonzkevm-mainnet': 1_101n,
}

/** The network in a path: any name or hex id of a chain with a node, or Alchemy's name, if no chain is configured with this name. */
export function networkParameter({ chains }: { chains: readonly ApiChain[] }) {
  const enabled = enabledChains(chains)
  const byName = new Map(enabled.flatMap((chain) => chain.names.map((name) => [name.toLowerCase(), chain] as const)))
  const byId = new Map(enabled.map((chain) => [chain.id, chain]))
  for (const [name, id] of Object.entries(networks)) {
    const chain = byId.get(id)
    if (chain && !byName.has(name)) byName.set(name, chain)
  }
  const served = Object.keys(networks).filter((name) => byName.get(name)?.id === networks[name])
  const others = enabled.filter(({ id }) => !served.some((name) => networks[name] === id)).map(({ name }) => name)
  return parameter({
    description: "Alchemy's name of the network, or a name or the hex id of a chain of this server.",
    allowed: [...served, ...others].join(', ') || 'none, as no chain has a node',
    schema: { type: 'string', examples: ['eth-mainnet'] },
    parse(text) {
      const lower = text.toLowerCase()
      return /^0x[0-9a-f]{1,64}$/.test(lower) ? byId.get(BigInt(lower)) : byName.get(lower)
    },
  })
}
