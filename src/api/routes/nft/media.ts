import { z } from 'zod'
import { BeingMadeError, NotFoundError } from '../../../util/errors.ts'
import { type PlayedEnding, playedEndings, playedTypes } from '../../../util/playedTypes.ts'
import type { Answer, AnswerStream } from '../../http/answer.ts'
import { bytesTag, matchesEtag } from '../../http/etag.ts'
import { parameter } from '../../http/parameters.ts'
import { defineRoute, type Exchange, type Route } from '../../http/route.ts'
import { filePart } from '../../nft/filePart.ts'

/** Previews and kept files by key, the path below `/media/`. */
export type Media = {
  get(key: string): Promise<{ bytes: Buffer } | undefined>
  open(key: string): Promise<KeptFile | undefined>
  /** Requests removed previews or files again. False: this key never existed. */
  renew(key: string): Promise<boolean>
}

type KeptFile = {
  bytes: number
  open(part: { from: number; to: number }): ReturnType<AnswerStream['open']>
  discard(): void
}

const hash = parameter({
  description: 'SHA-256 of the media.',
  allowed: '64 hex digits in lower case',
  schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  parse: (text) => (/^[0-9a-f]{64}$/.test(text) ? text : undefined),
})

const previews = ['low.webp', 'medium.webp', 'high.webp']
const names = [...previews, ...playedEndings.map((ending) => `file.${ending}`)]

const file = parameter({
  description: 'low, medium and high (.webp) fit into 100, 250 and 500 pixels. file: the media itself, if it is kept.',
  allowed: 'low.webp, medium.webp, high.webp, or file. with the ending of a type that browsers play',
  schema: { type: 'string', pattern: '^(low|medium|high|file)\\.[a-z0-9]+$' },
  parse: (text) => (names.includes(text) ? text : undefined),
})

/**
 * Previews by content hash, which never change, and the videos of previews. The content type is set here, not taken from
 * the store: this origin never serves a page or script from the store.
 */
export function mediaRoutes(media: Media | undefined): Route[] {
  async function removed(name: string, hash: string): Promise<Error> {
    return (await media?.renew(`${hash}/${name}`))
      ? new BeingMadeError(`${name} of ${hash} was removed to free space and is made again`)
      : new NotFoundError(`there is no ${name} of ${hash}`)
  }

  async function preview(name: string, hash: string, exchange: Exchange): Promise<Answer> {
    const found = await media?.get(`${hash}/${name}`)
    if (!found) throw await removed(name, hash)
    const etag = bytesTag(found.bytes)
    const headers = validators(etag)
    if (matchesEtag(exchange.header('if-none-match'), etag)) return { status: 304, headers, body: null }
    const disposition = `inline; filename="${hash.slice(0, 16)}-${name}"`
    const own = ['content-type', 'image/webp', 'content-disposition', disposition]
    return { status: 200, headers: [...own, ...headers], body: found.bytes }
  }

  async function keptFile(name: string, hash: string, exchange: Exchange): Promise<Answer> {
    const found = await media?.open(`${hash}/${name}`)
    if (!found) throw await removed(name, hash)
    const etag = `"${hash.slice(0, 22)}"`
    const headers = validators(etag)
    if (matchesEtag(exchange.header('if-none-match'), etag)) {
      found.discard()
      return { status: 304, headers, body: null }
    }
    const part = filePart(found, { etag, exchange })
    const { from, to } = part ?? { from: 0, to: found.bytes }
    const own = [
      ...['content-type', playedTypes[name.slice('file.'.length) as PlayedEnding]],
      ...['content-length', String(to - from), 'accept-ranges', 'bytes'],
      ...(part ? ['content-range', `bytes ${from}-${to - 1}/${found.bytes}`] : []),
      // Players ignore it; a browser that follows a link downloads the file instead of showing it.
      ...['content-disposition', `attachment; filename="${hash.slice(0, 16)}.${name.slice('file.'.length)}"`],
    ]
    const stream = { open: () => found.open({ from, to }), discard: found.discard }
    return { status: part ? 206 : 200, headers: [...own, ...headers], body: null, stream }
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/media/{hash}/{file}',
      operationId: 'getMediaPreview',
      summary: 'Preview image or kept file of an NFT',
      description:
        'The content never changes, as its name contains the hash of the media. 503 while the server creates a deleted file again.',
      tag: 'NFTs',
      access: 'none',
      produces: 'text',
      params: z.object({ hash, file }),
      ok: {
        description: 'The preview or the media.',
        contentType: ['image/webp', '*/*'],
        headers: z.object({ etag: z.string().describe('Version of the response. Send it back as If-None-Match.') }),
        hasParts: true,
      },
      errors: [404, 503],
      handle({ params: { hash, file }, exchange }): Promise<Answer> {
        return previews.includes(file) ? preview(file, hash, exchange) : keptFile(file, hash, exchange)
      },
    }),
  ]
}

function validators(etag: string): string[] {
  return ['etag', etag, 'cache-control', 'public, max-age=31536000, immutable', ...protection]
}

const protection = [
  'content-security-policy',
  "sandbox; default-src 'none'",
  'x-content-type-options',
  'nosniff',
  // Pages of other origins may show previews, also with cross-origin isolation.
  'cross-origin-resource-policy',
  'cross-origin',
]
