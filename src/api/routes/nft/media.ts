import { z } from 'zod'
import { BeingMadeError, NotFoundError } from '../../../util/errors.ts'
import type { Answer } from '../../http/answer.ts'
import { bytesTag, matchesEtag } from '../../http/etag.ts'
import { parameter } from '../../http/parameters.ts'
import { defineRoute, type Route } from '../../http/route.ts'

/** Where previews come from: a key is the path below `/media/`. */
export type Media = {
  get(key: string): Promise<{ bytes: Buffer } | undefined>
  /** Has previews made again that were removed. False: there are none of this hash. */
  renew(hash: string): Promise<boolean>
}

const hash = parameter({
  description: 'SHA-256 of the media that the preview was made of.',
  allowed: '64 hex digits in lower case',
  schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  parse: (text) => (/^[0-9a-f]{64}$/.test(text) ? text : undefined),
})

const file = parameter({
  description: 'The size: low, medium and high fit into 100, 250 and 500 pixels.',
  allowed: 'low.webp, medium.webp or high.webp',
  schema: { type: 'string', enum: ['low.webp', 'medium.webp', 'high.webp'] },
  parse: (text) => (/^(?:low|medium|high)\.webp$/.test(text) ? text : undefined),
})

/**
 * Previews by content hash, which never change. The content type is set here and not taken from the store: nothing that could be a page
 * or a script is ever served from this origin, whatever is in the store.
 */
export function mediaRoutes(media: Media | undefined): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/media/{hash}/{file}',
      operationId: 'getMediaPreview',
      summary: 'Preview image of an NFT',
      description:
        'Named by the hash of the media that it was made of, so that it never changes. 503 while a preview that was removed is made again.',
      tag: 'NFTs',
      access: 'none',
      produces: 'text',
      params: z.object({ hash, file }),
      query: z.object({}),
      ok: {
        description: 'The preview.',
        contentType: 'image/webp',
        headers: z.object({ etag: z.string().describe('Version of the response. Send it back as If-None-Match.') }),
      },
      errors: [404, 503],
      async handle({ params, exchange }): Promise<Answer> {
        const found = await media?.get(`${params.hash}/${params.file}`)
        if (!found && (await media?.renew(params.hash)))
          throw new BeingMadeError(
            `preview ${params.file} of ${params.hash} was removed to make room and is made again`,
          )
        if (!found) throw new NotFoundError(`there is no preview ${params.file} of ${params.hash}`)
        const etag = bytesTag(found.bytes)
        const headers = ['etag', etag, 'cache-control', 'public, max-age=31536000, immutable', ...protection]
        const ifNoneMatch = exchange.header('if-none-match')
        if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag)) return { status: 304, headers, body: null }
        const disposition = `inline; filename="${params.hash.slice(0, 16)}-${params.file}"`
        const own = ['content-type', 'image/webp', 'content-disposition', disposition]
        return { status: 200, headers: [...own, ...headers], body: found.bytes }
      },
    }),
  ]
}

const protection = [
  'content-security-policy',
  "sandbox; default-src 'none'",
  'x-content-type-options',
  'nosniff',
  // Pages of other origins show previews, also those that isolate themselves.
  'cross-origin-resource-policy',
  'cross-origin',
]
