import { neverAllowed, notPublic } from '../src/net/guard/addressRanges.ts'

/** Returns the networks that the NetworkPolicy of deploy/helm closes, one a line. The service sends no request to untrusted addresses there. */
export function helmRanges(kind: 'ipv4' | 'ipv6'): string {
  const all = [...neverAllowed, ...notPublic].map(({ network }) => network)
  const own = all.filter(([address]) => address.kind() === kind)
  // An exception must lie within 2000::/3, which the policy opens.
  const inside = own.filter(([address]) => kind === 'ipv4' || (address.toByteArray()[0]! & 0xe0) === 0x20)
  const texts = inside.map(([address, bits]) => `${address.toString()}/${bits}`)
  return `${[...new Set(texts)].sort().join('\n')}\n`
}
