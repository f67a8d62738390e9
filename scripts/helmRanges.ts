import { neverAllowed, notPublic } from '../src/net/guard/addressRanges.ts'

/** Networks that the NetworkPolicy of deploy/helm closes: those of untrusted addresses to which no request is sent, one a line. */
export function helmRanges(kind: 'ipv4' | 'ipv6'): string {
  const all = [...neverAllowed, ...notPublic].map(({ network }) => network)
  const own = all.filter(([address]) => address.kind() === kind)
  // An exception has to lie within 2000::/3, which the policy opens.
  const inside = own.filter(([address]) => kind === 'ipv4' || (address.toByteArray()[0]! & 0xe0) === 0x20)
  const texts = inside.map(([address, bits]) => `${address.toString()}/${bits}`)
  return `${[...new Set(texts)].sort().join('\n')}\n`
}
