import { escapeNames } from './parseIpfsUri.ts'
import type { ResolvedUri } from './resolvedUri.ts'

type ArweaveUri = Extract<ResolvedUri, { kind: 'arweave' }>

/** A file on Arweave, from the text after `ar:`: `//<id>/path`. Undefined if that begins with neither an id nor a name. */
export function parseArweaveUri(text: string): ArweaveUri | undefined {
  const [, id, rest = ''] = /^[/\\\s]*([\w-]{1,128})(?:([/\\?#].*))?$/s.exec(text) ?? []
  if (!id) return undefined
  const url = new URL(`https://arweave.invalid/${escapeNames(rest).replace(/^[/\\]+/, '')}`)
  return { kind: 'arweave', id, path: withoutRoot(url), original: null }
}

/** A file on Arweave, from `https://arweave.net/<id>/path`; a gateway may prefix the host with a label. */
export function parseArweaveUrl(url: URL): ArweaveUri | undefined {
  if (!/^(?:[\w-]+\.)?arweave\.(?:net|dev)$/.test(url.hostname)) return undefined
  const [, id, rest = ''] = /^\/+([\w-]{43})(\/.*)?$/.exec(url.pathname) ?? []
  return id ? { kind: 'arweave', id, path: rest === '/' ? '' : rest, original: url.href } : undefined
}

/** The path, '' for the root. Without the query, which is for the gateway and not part of the content. */
function withoutRoot({ pathname }: URL): string {
  return pathname === '/' ? '' : pathname
}
