import { BadUrlError } from '../outboundError.ts'

/** Longest requested URL, in characters after normalization. */
const maxLength = 8_192

/**
 * Names under which clouds serve secrets to every request from inside. Their addresses are blocked too; the names are blocked so that an
 * `outbound.allow` of a whole network cannot allow them.
 */
const metadataNames: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'instance-data',
  'instance-data.ec2.internal',
])

/**
 * The URL to request, or BadUrlError: http or https, no credentials, no port of another protocol. The WHATWG parser converts every notation of an
 * address (decimal, octal, hex, short, percent-encoded, full-width) to the usual one.
 */
export function checkUrl(url: string | URL, base?: URL): URL {
  const parsed = typeof url === 'string' ? parse(url, base) : url
  const { protocol, hostname } = parsed
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new BadUrlError('scheme', `${protocol.slice(0, 40)} is not http: or https:`)
  if (parsed.username || parsed.password)
    throw new BadUrlError('credentials', 'the URL carries a user name or password')
  if (parsed.port && blockedPorts.has(Number(parsed.port)))
    throw new BadUrlError('port', `port ${parsed.port} belongs to another protocol`)
  if (parsed.href.length > maxLength)
    throw new BadUrlError('too_long', `the URL is longer than ${maxLength} characters`)
  if (hostname.length > 254) throw new BadUrlError('host', 'the host name is longer than 254 characters')
  if (metadataNames.has(hostname.endsWith('.') ? hostname.slice(0, -1) : hostname))
    throw new BadUrlError('host', `${hostname} is a metadata service`)
  return parsed
}

function parse(url: string, base: URL | undefined): URL {
  if (url.length > 4 * maxLength) throw new BadUrlError('too_long', `the URL is longer than ${maxLength} characters`)
  const parsed = URL.parse(url, base?.href)
  if (!parsed) throw new BadUrlError('syntax', 'the URL cannot be parsed')
  return parsed
}

/**
 * Blocked ports. The "bad ports" of the Fetch Standard (https://fetch.spec.whatwg.org/#port-blocking), whose protocols accept commands as text; and
 * the usual ports of databases, which servers can reach.
 */
const blockedPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  // SQL Server, Oracle, MySQL, PostgreSQL, Redis, memcached, MongoDB.
  1433, 1521, 3306, 5432, 6379, 11211, 27017,
])
