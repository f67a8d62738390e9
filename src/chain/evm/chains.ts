import type { Address } from '../../util/hex.ts'

/** Known facts of an EVM chain before any node is queried. */
export type KnownChain = {
  /** EIP-155 id. */
  id: bigint
  /** Names accepted in `chain=`, lower case. The first is the chain's name in our output. */
  names: readonly [string, ...string[]]
  /** Blocks after which a webhook is confirmed. Used for nothing else. */
  confirmations: number
  /** Number of blocks below the head at which a block is final if the node does not support the `finalized` tag. */
  finalityDepth: number
  /** Interval between requests for the head, in milliseconds. */
  pollIntervalMs: number
  /** Public nodes, used if the configuration has none. Empty: the chain is shut down or has none. */
  rpc: readonly string[]
  /** Address of Multicall3 if it is not the usual one. */
  multicall?: Address
}

/** The built-in chains. */
export const knownChains: readonly KnownChain[] = [
  {
    id: 0x1n,
    names: ['eth', 'mainnet', 'ethereum'],
    confirmations: 12,
    finalityDepth: 96,
    pollIntervalMs: 2_000,
    rpc: ['https://ethereum-rpc.publicnode.com', 'https://eth.drpc.org'],
  },
  { id: 0x5n, names: ['goerli'], confirmations: 12, finalityDepth: 96, pollIntervalMs: 2_000, rpc: [] },
  {
    id: 0xaa36a7n,
    names: ['sepolia'],
    confirmations: 18,
    finalityDepth: 96,
    pollIntervalMs: 2_000,
    rpc: ['https://ethereum-sepolia-rpc.publicnode.com', 'https://sepolia.drpc.org'],
  },
  {
    id: 0x89n,
    names: ['polygon', 'matic'],
    confirmations: 100,
    finalityDepth: 256,
    pollIntervalMs: 1_000,
    rpc: ['https://polygon-bor-rpc.publicnode.com', 'https://polygon.drpc.org'],
  },
  { id: 0x13881n, names: ['mumbai'], confirmations: 100, finalityDepth: 256, pollIntervalMs: 1_000, rpc: [] },
  {
    id: 0x38n,
    names: ['bsc'],
    confirmations: 18,
    finalityDepth: 64,
    pollIntervalMs: 1_000,
    rpc: ['https://bsc-rpc.publicnode.com', 'https://bsc.drpc.org'],
  },
  {
    id: 0x61n,
    names: ['bsc testnet', 'bsc_testnet', 'bsc-testnet'],
    confirmations: 18,
    finalityDepth: 64,
    pollIntervalMs: 1_000,
    rpc: ['https://bsc-testnet-rpc.publicnode.com'],
  },
  {
    id: 0xa86an,
    names: ['avalanche', 'avax'],
    confirmations: 100,
    finalityDepth: 64,
    pollIntervalMs: 1_000,
    rpc: ['https://api.avax.network/ext/bc/C/rpc', 'https://avalanche-c-chain-rpc.publicnode.com'],
  },
  {
    id: 0xfan,
    names: ['fantom', 'ftm'],
    confirmations: 100,
    finalityDepth: 64,
    pollIntervalMs: 1_000,
    rpc: ['https://rpcapi.fantom.network', 'https://fantom.drpc.org'],
  },
  {
    id: 0x2a15c308dn,
    names: ['palm'],
    confirmations: 12,
    finalityDepth: 64,
    pollIntervalMs: 5_000,
    rpc: ['https://palm-mainnet.public.blastapi.io'],
  },
  {
    id: 0x19n,
    names: ['cronos'],
    confirmations: 100,
    finalityDepth: 64,
    pollIntervalMs: 2_000,
    rpc: ['https://evm.cronos.org', 'https://cronos-evm-rpc.publicnode.com'],
  },
  {
    id: 0xa4b1n,
    names: ['arbitrum', 'arb'],
    confirmations: 18,
    finalityDepth: 512,
    pollIntervalMs: 1_000,
    rpc: ['https://arb1.arbitrum.io/rpc', 'https://arbitrum-one-rpc.publicnode.com'],
  },
]

/** An EVM chain as this server runs it: its settings from the configuration, otherwise the built-in values. */
export type EvmChain = {
  id: bigint
  name: string
  /** All names that `chain=` accepts, lower case. */
  names: readonly string[]
  rpc: readonly string[]
  confirmations: number
  finalityDepth: number
  pollIntervalMs: number
  /** Address of Multicall3 if it is not the usual one. */
  multicall?: Address
  /** Nothing counts as synced once no node has confirmed the head for longer than this; undefined: see `maxHeadAgeOf` of sync/headAge.ts. */
  maxHeadAgeMs?: number
  /** false: logs are not checked against the blooms of headers, which are wrong on this chain. */
  bloom?: boolean
  /** chain: answers about wallets cover all contracts; omitted or indexed: the indexed collections. */
  wallets?: 'chain' | 'indexed'
  /** true: contracts with NFT transfers in the chain's blocks are discovered. */
  discover?: boolean
  /** The configuration file contains it, so readiness waits for it. */
  configured: boolean
}
