import { isIP } from 'node:net'
import * as exported from 'viem/chains'
import { multicall3 } from '../src/chain/evm/contracts/multicall.ts'
import type { DefinedChainRow } from '../src/chain/evm/definedChains.ts'
import { isPublicAddress } from '../src/net/guard/address.ts'

type Definition = {
  id: number
  name: string
  rpcUrls: { default: { http: readonly string[] } }
  contracts?: { multicall3?: { address: string } }
}

/** The text of src/chain/evm/definedChains.artifact.json: what viem's definitions say, a chain a line, in the order of names. */
export function definedChainsText(): string {
  const names = new Map<Definition, string[]>()
  for (const [name, value] of Object.entries<unknown>(exported))
    if (isDefinition(value)) names.set(value, [...(names.get(value) ?? []), name.toLowerCase()])
  const lines = [...names]
    .map(([definition, all]) => JSON.stringify(rowOf(definition, [...new Set(all)].sort())))
    .sort()
  return `[\n${lines.join(',\n')}\n]\n`
}

function rowOf({ id, name, rpcUrls, contracts }: Definition, names: string[]): DefinedChainRow {
  const multicall = contracts?.multicall3?.address.toLowerCase() ?? multicall3
  return {
    names,
    title: name,
    id,
    rpc: rpcUrls.default.http.filter(isPublicNode),
    ...(multicall !== multicall3 && { multicall }),
  }
}

/** Functions are exported beside the definitions. */
function isDefinition(value: unknown): value is Definition {
  return typeof value === 'object' && value !== null && 'id' in value && 'rpcUrls' in value
}

/** Nodes of a developer's own machine, and those whose answers anybody on the way could change, are nobody's public nodes. */
export function isPublicNode(address: string): boolean {
  const { protocol, hostname, username, password } = new URL(address)
  if (protocol !== 'https:' || username !== '' || password !== '') return false
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0) return isPublicAddress(host)
  return host.includes('.') && !/\.(localhost|local|internal|lan|home|test)$/.test(host)
}
