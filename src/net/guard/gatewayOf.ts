/**
 * The configured gateway that serves a host; undefined if none does. A gateway also serves names below its own, to which it
 * redirects so that contents are origins apart in a browser: `<cid>.ipfs.<gateway>` (IPFS, "subdomain gateway") and
 * `<label>.<gateway>` (Arweave, sandboxes and names). Other names below a gateway of IPFS may be sites of anybody.
 */
export type GatewayOf = (host: string) => string | undefined

/** Addresses as they are configured. */
export function createGatewayOf({ ipfs, arweave }: { ipfs: readonly string[]; arweave: readonly string[] }): GatewayOf {
  const hosts = (addresses: readonly string[]) => new Set(addresses.map((address) => new URL(address).host))
  const [ipfsHosts, arweaveHosts] = [hosts(ipfs), hosts(arweave)]
  return (host) => {
    if (ipfsHosts.has(host) || arweaveHosts.has(host)) return host
    const [label, ...rest] = host.split('.')
    if (label === '' || rest.length === 0) return undefined
    if (arweaveHosts.has(rest.join('.'))) return rest.join('.')
    const gateway = rest.slice(1).join('.')
    return (rest[0] === 'ipfs' || rest[0] === 'ipns') && ipfsHosts.has(gateway) ? gateway : undefined
  }
}
