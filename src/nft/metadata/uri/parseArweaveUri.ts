import type { ResolvedUri } from './resolvedUri.ts'

type ArweaveUri = Extract<ResolvedUri, { kind: 'arweave' }>

/** A file on Arweave, from what follows `ar:`: `//<id>/path`. Undefined where neither an id nor a name begins it. */
export function parseArweaveUri(text: string): ArweaveUri | undefined {
  const [, id, rest = ''] = /^[/\\\s]*([\w-]{1,128})(?:([/\\?#].*))?$/s.exec(text) ?? []
  if (!id) return undefined
  const url = new URL(`https://arweave.invalid/${rest.replace(/^[/\\]+/, '')}`)
  return { kind: 'arweave', id, path: withoutRoot(url), original: null }
}

/** A file on Arweave, from `https://arweave.net/<id>/path`, where gateways may have put a sandbox before the host. */
export function parseArweaveUrl(url: URL): ArweaveUri | undefined {
  if (!/^(?:[\w-]+\.)?arweave\.(?:net|dev)$/.test(url.hostname)) return undefined
  const [, id, rest = ''] = /^\/+([\w-]{43})(\/.*)?$/.exec(url.pathname) ?? []
  return id ? { kind: 'arweave', id, path: rest === '/' ? '' : rest, original: url.href } : undefined
}

/** Without the query too, which is a gateway's and no part of the content. */
function withoutRoot({ pathname }: URL): string {
  return pathname === '/' ? '' : pathname
}
