/** Host and port of a stream's address. `secure`: TLS, for https:// and for port 443; a node of one's own on another port speaks without. */
export function parseGrpcAddress(address: string): { target: string; secure: boolean } {
  const match = /^(?:(https?):\/\/)?(.*?)\/?$/.exec(address)!
  const [, scheme, rest = ''] = match
  const port = /:(\d+)$/.exec(rest)?.[1]
  const secure = scheme === undefined ? port === undefined || port === '443' : scheme === 'https'
  return { target: port === undefined ? `${rest}:${secure ? 443 : 80}` : rest, secure }
}
