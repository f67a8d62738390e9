import { maxUriLength, maxUrlLength } from '../../../util/metadataBounds.ts'
import { parseArweaveUri, parseArweaveUrl } from './parseArweaveUri.ts'
import { parseBareMetadata, parseDataUri } from './parseDataUri.ts'
import { escapeNames, isIpnsName, parseGatewayUrl, parseIpfsUri } from './parseIpfsUri.ts'
import type { ResolvedUri } from './resolvedUri.ts'

/**
 * Resolves a token URI or image URL. The text is untrusted: common mistakes are accepted without guessing, and a meaningless text is refused with a
 * reason. A resolved `http` URL is not safe to fetch yet: hosts are checked when connecting. Never throws.
 */
export function resolveUri(text: string, tokenId: bigint): ResolvedUri {
  if (text.length > maxUriLength) return rejected(`${text.length} characters, at most ${maxUriLength} are read`)
  const trimmed = unwrapUri(text)
  if (trimmed === '') return rejected('empty')
  if (/^data:/i.test(trimmed)) return parseDataUri(trimmed)
  const metadata = parseBareMetadata(trimmed)
  if (metadata) return metadata
  if (trimmed.length > maxUrlLength) return tooLong(trimmed)
  const uri = substituteId(unescapeScheme(trimmed), tokenId)
  return uri.length > maxUrlLength ? tooLong(uri) : resolveReference(uri)
}

function resolveReference(uri: string): ResolvedUri {
  if (schemeless.test(uri)) return resolveHttp(`https://${uri.replace(/^\/\//, '')}`)
  const [, scheme, rest = ''] = /^([a-z][a-z\d+.-]*):(.*)$/is.exec(uri) ?? []
  switch (scheme?.toLowerCase()) {
    case 'http':
    case 'https':
      return resolveHttp(uri)
    case 'ipfs':
    case 'dweb':
    case 'fs':
      return resolveIpfs(rest)
    case 'ipns':
      return ipnsName
    case 'ar':
    case 'arweave':
      return resolveNested(rest) ?? parseArweaveUri(rest) ?? rejected('ar: without a transaction id')
    case undefined:
      return parseIpfsUri(uri) ?? (isIpnsName(uri) ? ipnsName : rejected('neither a URL nor a CID'))
    default:
      return rejected(`scheme ${scheme!.slice(0, 32)}: is not fetched`)
  }
}

function resolveIpfs(rest: string): ResolvedUri {
  const named = isIpnsName(rest) ? ipnsName : rejected('ipfs: without a valid CID')
  return parseIpfsUri(rest) ?? resolveNested(rest) ?? resolveGateway(rest) ?? named
}

/** `ipfs://<cid>.ipfs.host/…` and `ipfs://host/ipfs/<cid>/…`: a scheme before a gateway. */
function resolveGateway(rest: string): ResolvedUri | undefined {
  const host = rest.replace(/^[/\\]+/, '')
  if (!/^[^/?#]+\.[a-z]{2,}(?::\d+)?(?:\/|$)/i.test(host)) return undefined
  const resolved = resolveHttp(`https://${host}`)
  return resolved.kind === 'ipfs' ? resolved : undefined
}

const ipnsName = rejected('an IPNS name: its content can change and cannot be verified')

/** `ipfs://https://host/…`: a scheme before a complete URL. */
function resolveNested(rest: string): ResolvedUri | undefined {
  const nested = rest.replace(/^[/\\]+/, '')
  return /^https?:/i.test(nested) ? resolveHttp(nested) : undefined
}

function resolveHttp(text: string): ResolvedUri {
  const doubled = text.replace(/^(?:https?:[/\\]*)+(?=https?:)/i, '')
  if (!URL.canParse(doubled)) return rejected('malformed URL')
  const url = new URL(doubled)
  const escaped = escapeNames(doubled)
  const whole = escaped === doubled ? null : URL.parse(escaped)
  const file = whole && whole.host === url.host ? resolveUrl(whole) : undefined
  // Only in these can a `#` or a bare `%` belong to a name.
  return file?.kind === 'ipfs' || file?.kind === 'arweave' ? file : resolveUrl(url)
}

function resolveUrl(url: URL): ResolvedUri {
  if (url.username || url.password) return rejected('URL with credentials')
  url.hash = ''
  if (url.href.length > maxUrlLength) return tooLong(url.href)
  return parseGatewayUrl(url) ?? parseArweaveUrl(url) ?? { kind: 'http', url: url.href }
}

/** `//host/path` and `host.tld/path`, to which a browser would add the scheme. */
const schemeless =
  /^(?:\/\/(?!ipfs\/)|(?=[^/?#]*\.[a-z]{2,}(?::\d+)?\/))[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d-]+)+(?::\d+)?\//i

/** The text without surrounding white space, control characters, BOM and quotes. */
export function unwrapUri(text: string): string {
  let trimmed = trim(text)
  for (let i = 0; i < 3; i++) {
    const quote = trimmed[0]
    if (trimmed.length < 2 || !quote || !`'"\``.includes(quote) || !trimmed.endsWith(quote)) break
    trimmed = trim(trimmed.slice(1, -1))
  }
  return trimmed
}

/** Manual: a regular expression for trailing characters takes quadratic time. */
function trim(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isBlank(unit: number): boolean {
  return unit <= 0x20 || (unit >= 0x7f && unit <= 0xa0) || unit === 0xfeff || (unit >= 0x2000 && unit <= 0x200f)
}

/** `https%3A%2F%2Fhost%2F…`: a completely escaped URI. */
function unescapeScheme(text: string): string {
  if (!/^(?:https?|ipfs|ar)%3a%2f%2f/i.test(text)) return text
  return text.replaceAll(/%([0-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function rejected(reason: string): ResolvedUri {
  return { kind: 'refused', reason }
}

function tooLong(uri: string): ResolvedUri {
  return rejected(`URL of ${uri.length} characters, at most ${maxUrlLength} are fetched`)
}

/**
 * Replaces every `{id}` in a URI by the token's id as 64 lower-case hex digits without 0x, as EIP-1155 requires of clients. `%7Bid%7D` is equivalent
 * in an escaped URI.
 */
export function substituteId(uri: string, tokenId: bigint): string {
  if (!uri.includes('{') && !uri.includes('%')) return uri
  return uri.replaceAll(/\{id\}|%7Bid%7D/gi, BigInt.asUintN(256, tokenId).toString(16).padStart(64, '0'))
}
