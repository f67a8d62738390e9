import { z } from 'zod'
import { createDocsFiles } from '../document/docsFiles.ts'
import { createOpenapi } from '../document/openapi.ts'
import { jsonType } from '../http/answer.ts'
import { answerFixed, createFixedBody, type FixedBody } from '../http/fixedBody.ts'
import { parameter } from '../http/parameters.ts'
import { defineRoute, type Route } from '../http/route.ts'

const tag = 'Documentation'
const nothing = z.object({})
const fixedHeaders = z.object({ etag: z.string().describe('Names this version of the file, for If-None-Match.') })

/** `/openapi.json` of `routes` and of these, and a page to try it at `/docs`. */
export function documentationRoutes(options: { routes: readonly Route[]; version: string }): Route[] {
  const files = createDocsFiles()
  let document: FixedBody | undefined

  const own: Route[] = [
    defineRoute({
      method: 'GET',
      path: '/openapi.json',
      operationId: 'getOpenapi',
      summary: 'This document',
      description: 'What this server answers, in OpenAPI 3.1.',
      tag,
      access: 'none',
      produces: 'json',
      params: nothing,
      query: nothing,
      ok: { description: 'OpenAPI 3.1.', schema: z.record(z.string(), z.unknown()), headers: fixedHeaders },
      handle({ exchange }) {
        document ??= createFixedBody(
          Buffer.from(JSON.stringify(createOpenapi({ routes: [...options.routes, ...own], version: options.version }))),
          jsonType,
          ['cache-control', 'no-cache'],
        )
        return answerFixed(document, exchange)
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/docs',
      operationId: 'getDocs',
      summary: 'A page to try the operations',
      description: 'The page is made from this document, and asks this server alone.',
      tag,
      access: 'none',
      produces: 'text',
      params: nothing,
      query: nothing,
      ok: { description: 'HTML.', contentType: 'text/html', headers: fixedHeaders },
      handle: async ({ exchange }) => answerFixed(await files.read(''), exchange),
    }),
    defineRoute({
      method: 'GET',
      path: '/docs/{file}',
      operationId: 'getDocsFile',
      summary: 'A file of that page',
      description: 'Scripts, styles and images.',
      tag,
      access: 'none',
      produces: 'text',
      params: z.object({
        file: parameter({
          description: 'Name of the file.',
          allowed: 'a file name',
          schema: { type: 'string' },
          parse: (text) => text,
        }),
      }),
      query: nothing,
      ok: { description: 'The file.', contentType: '*/*', headers: fixedHeaders },
      errors: [404],
      handle: async ({ params, exchange }) => answerFixed(await files.read(params.file), exchange),
    }),
  ]
  return own
}
