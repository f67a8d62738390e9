import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import {
  type Address,
  embeddedIpv4,
  globalUnicast,
  type NamedNetwork,
  type Network,
  neverAllowed,
  notPublic,
} from './addressRanges.ts'

/** Networks that an operator allowed (`outbound.allow`). */
export type AllowedNetworks = readonly Network[]

const none: AllowedNetworks = []

/** An address or a network in CIDR notation, or undefined if the text is neither. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', bits, ...rest] = text.trim().split('/')
  const family = isIP(address)
  if (family === 0 || address.includes('%') || rest.length > 0) return undefined
  const width = family === 4 ? 32 : 128
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > width)) return undefined
  return [parse(address), bits === undefined ? width : Number(bits)]
}

/** Whether an address in text form is on the public internet. */
export function isPublicAddress(ip: string): boolean {
  return blockedReason(ip) === undefined
}

/**
 * Why an address is blocked, such as `private`; undefined if it is not. An IPv6 address that leads to an IPv4 one (mapped, NAT64) is judged as that
 * one. Link-local addresses and metadata services are blocked in every form that contains them, whatever `allow` says.
 */
export function blockedReason(ip: string, allow: AllowedNetworks = none): string | undefined {
  if (isIP(ip) === 0) return 'malformed'
  const address = parse(ip)
  const embedded = address.kind() === 'ipv6' ? embeddedIpv4(address as ipaddr.IPv6) : []
  for (const form of [address, ...embedded.map(({ inner }) => inner)]) {
    const reason = find(form, neverAllowed)
    if (reason) return reason
  }
  const direct = embedded.find((found) => found.direct)?.inner
  const target = direct ?? address
  if (matches(target, allow) || (direct && matches(address, allow))) return undefined
  const reason = find(target, notPublic)
  if (reason) return reason
  return target.kind() === 'ipv6' && !target.match(globalUnicast) ? 'reserved' : undefined
}

/** ipaddr.js reads ::10.0.0.1 as ::ffff:10.0.0.1, which is another address: so the dotted part is passed in hex. */
function parse(ip: string): Address {
  return ipaddr.parse(
    ip.replace(/(?<=:)(\d+)\.(\d+)\.(\d+)\.(\d+)/, (_, ...bytes: string[]) => {
      const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number)
      return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
    }),
  )
}

function find(address: Address, networks: readonly NamedNetwork[]): string | undefined {
  return networks.find(({ network }) => inside(address, network))?.reason
}

function matches(address: Address, networks: AllowedNetworks): boolean {
  return networks.some((network) => inside(address, network))
}

function inside(address: Address, network: Network): boolean {
  return address.kind() === network[0].kind() && address.match(network)
}
