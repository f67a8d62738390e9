import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6
/** A network: its first address and the length of its prefix. */
export type Network = [Address, number]
export type NamedNetwork = { reason: string; network: Network }

function named(table: Record<string, readonly string[]>): NamedNetwork[] {
  return Object.entries(table).flatMap(([reason, networks]) =>
    networks.map((text) => ({ reason, network: ipaddr.parseCIDR(text) })),
  )
}

/**
 * Addresses that stay blocked whatever an operator allows: link-local ones, and metadata services. There clouds return credentials to any program
 * inside (AWS, GCP, Azure's wire server, Alibaba, Oracle, Scaleway).
 */
export const neverAllowed: readonly NamedNetwork[] = named({
  'cloud metadata': [
    '169.254.169.254/32',
    '168.63.129.16/32',
    '100.100.100.200/32',
    '192.0.0.192/32',
    'fd00:ec2::/32',
    'fd20:ce::254/128',
    'fd00:42::42/128',
  ],
  'link-local': ['169.254.0.0/16', 'fe80::/10'],
})

/**
 * Networks outside the public internet, by the IANA registries of special-purpose addresses
 * (https://www.iana.org/assignments/iana-ipv4-special-registry, …/iana-ipv6-special-registry); the name is that of the first match.
 */
export const notPublic: readonly NamedNetwork[] = named({
  unspecified: ['0.0.0.0/32', '::/128'],
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
  'shared (CGNAT)': ['100.64.0.0/10'],
  'this network': ['0.0.0.0/8'],
  documentation: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
  benchmarking: ['198.18.0.0/15', '2001:2::/48'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
  broadcast: ['255.255.255.255/32'],
  '6to4': ['192.88.99.0/24', '2002::/16'],
  Teredo: ['2001::/32'],
  'site-local': ['fec0::/10'],
  'local NAT64': ['64:ff9b:1::/48'],
  // AS112 and AMT relays answer only DNS and multicast.
  reserved: [
    '192.0.0.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.175.48.0/24',
    '240.0.0.0/4',
    '100::/64',
    '2001::/23',
    '2620:4f:8000::/48',
    '3ffe::/16',
    '5f00::/16',
  ],
})

/** All IPv6 addresses assigned for unicast: others are not addresses of hosts. */
export const globalUnicast: Network = ipaddr.parseCIDR('2000::/3')

/** The IPv4 addresses inside an IPv6 one. `direct`: packets to it go to that IPv4 address (mapped, NAT64). */
export function embeddedIpv4(address: ipaddr.IPv6): { inner: ipaddr.IPv4; direct: boolean }[] {
  const bytes = address.toByteArray()
  const at = (start: number, flip = 0) => new ipaddr.IPv4(bytes.slice(start, start + 4).map((byte) => byte ^ flip))
  const found: { inner: ipaddr.IPv4; direct: boolean }[] = []
  for (const { network, places, flip, direct } of embeddings)
    if (address.match(network))
      for (const start of places) found.push({ inner: at(start, start === 12 ? flip : 0), direct })
  return found
}

const embeddings: { network: Network; places: number[]; flip: number; direct: boolean }[] = [
  // IPv4-mapped (RFC 4291) and NAT64 (RFC 6052): the kernel or the translator uses the IPv4 address.
  { network: ipaddr.parseCIDR('::ffff:0:0/96'), places: [12], flip: 0, direct: true },
  { network: ipaddr.parseCIDR('64:ff9b::/96'), places: [12], flip: 0, direct: true },
  // IPv4-compatible, IPv4-translated, local NAT64, 6to4, Teredo (server, then the client's address inverted).
  { network: ipaddr.parseCIDR('::/96'), places: [12], flip: 0, direct: false },
  { network: ipaddr.parseCIDR('::ffff:0:0:0/96'), places: [12], flip: 0, direct: false },
  { network: ipaddr.parseCIDR('64:ff9b:1::/48'), places: [12], flip: 0, direct: false },
  { network: ipaddr.parseCIDR('2002::/16'), places: [2], flip: 0, direct: false },
  { network: ipaddr.parseCIDR('2001::/32'), places: [4, 12], flip: 0xff, direct: false },
]
