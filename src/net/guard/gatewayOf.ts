/**
 * The configured gateway that serves a host; undefined if none does. A gateway also serves subdomains, to which it redirects so that browsers isolate
 * contents as origins: `<cid>.ipfs.<gateway>` (IPFS, "subdomain gateway") and `<label>.<gateway>` (Arweave, sandboxes and names). Other subdomains of
 * an IPFS gateway may be anybody's sites.
 */
export type GatewayOf = (host: string) => string | undefined

/** Takes the configured URLs. */
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
