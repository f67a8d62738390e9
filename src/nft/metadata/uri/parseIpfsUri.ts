import { base16 } from 'multiformats/bases/base16'
import { base32upper } from 'multiformats/bases/base32'
import { base36 } from 'multiformats/bases/base36'
import { CID, type MultibaseDecoder } from 'multiformats/cid'
import type { ResolvedUri } from './resolvedUri.ts'

type IpfsUri = Extract<ResolvedUri, { kind: 'ipfs' }>

/**
 * Content on IPFS, from the text after the scheme or from a bare path: `<cid>/path`, `//<cid>`, `ipfs/<cid>`, `/ipfs/ipfs://<cid>` and similar.
 * Undefined without a CID.
 */
export function parseIpfsUri(text: string, original: string | null = null): IpfsUri | undefined {
  const rest = text.replace(repeatedPrefix, '')
  const end = rest.search(/[/?#\\]/)
  const cid = parseCid(end < 0 ? rest : rest.slice(0, end))
  if (!cid) return undefined
  return { kind: 'ipfs', cid, path: end < 0 ? '' : encodePath(rest.slice(end)), original }
}

/** Content on IPFS, from a gateway's URL: `https://host/ipfs/<cid>/path` or `https://<cid>.ipfs.host/path`. */
export function parseGatewayUrl(url: URL): IpfsUri | undefined {
  const path = url.pathname
  if (/^\/ipfs\//i.test(path)) return parseIpfsUri(path, url.href)
  const [label = '', zone] = url.hostname.split('.', 2)
  const cid = zone === 'ipfs' ? parseCid(label) : undefined
  return cid ? { kind: 'ipfs', cid, path: path === '/' ? '' : path, original: url.href } : undefined
}

/** Whether the text after the scheme, or a bare path, is a mutable name: `ipns/<name>`, or a key's hash. */
export function isIpnsName(text: string): boolean {
  const rest = text.replace(repeatedPrefix, '')
  return /^ipns[/\\:]/i.test(rest) || decodeCid(/^[^/?#\\]*/.exec(rest)![0])?.code === keyCodec
}

/** `libp2p-key` of the multicodec table: the CID of a key has no content. */
const keyCodec = 0x72

const repeatedPrefix = /^(?:[/\\\s]|(?:ipfs|dweb|fs):|ipfs[/\\])*/i

// The length is checked first, as decoding base58 takes quadratic time. A sha2-512 CID in base16 has 137 digits.
const cidText = /^[A-Za-z0-9]{46,160}$/

/** `Qm…` in base58, or any CIDv1 of the multibases in use. */
function parseCid(text: string): string | undefined {
  const cid = decodeCid(text)
  return cid && cid.code !== keyCodec ? cid.toString() : undefined
}

function decodeCid(text: string): CID | undefined {
  if (!cidText.test(text)) return undefined
  try {
    return CID.parse(text, decoders.get(text[0]!))
  } catch {
    // multiformats reports invalid CIDs only by throwing.
    return undefined
  }
}

const decoders = new Map<string, MultibaseDecoder<string>>([
  ['B', base32upper],
  ['f', base16],
  ['k', base36],
])

/**
 * The path as in a URL: percent-encoded, with dot segments resolved within the CID. Without the query, which is for the gateway (it may have its key)
 * and not part of the content, and without a fragment.
 */
function encodePath(path: string): string {
  const url = new URL(`https://ipfs.invalid/${escapeNames(path).replace(/^[/\\]+/, '')}`)
  return url.pathname === '/' ? '' : url.pathname
}

/**
 * The URL of a file on IPFS or Arweave with escaped file names, which are often unescaped: each `#` before a file extension (`Cat #7.png`) or after a
 * blank (`Cat #7`), and each `%` without an escape (`100%.png`). Any other `#` begins a fragment, and stays.
 */
export function escapeNames(address: string): string {
  const escaped = address.replaceAll(/%(?![\da-f]{2})/gi, '%25')
  return beforeEnding.test(escaped) || behindBlank.test(escaped) ? escaped.replaceAll('#', '%23') : escaped
}

const beforeEnding = /^[^?]*#[^/?#]*\.[a-z\d]{2,5}$/i
const behindBlank = /^[^?#]*(?:\s|%20)#/
