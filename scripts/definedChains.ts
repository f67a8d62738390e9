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

/** Returns the text of src/chain/evm/definedChains.artifact.json: viem's definitions, one chain a line, sorted by name. */
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

/** viem exports functions besides the definitions. */
function isDefinition(value: unknown): value is Definition {
  return typeof value === 'object' && value !== null && 'id' in value && 'rpcUrls' in value
}

/** A public node is not on a developer's own machine, and nobody between it and the service can change its responses. */
export function isPublicNode(address: string): boolean {
  const { protocol, hostname, username, password } = new URL(address)
  if (protocol !== 'https:' || username !== '' || password !== '') return false
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0) return isPublicAddress(host)
  return host.includes('.') && !/\.(localhost|local|internal|lan|home|test)$/.test(host)
}
