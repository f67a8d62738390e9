import { z } from 'zod'
import { createDocsFiles } from '../document/docsFiles.ts'
import { createGuide } from '../document/guide.ts'
import { createOpenapi } from '../document/openapi.ts'
import { jsonType } from '../http/answer.ts'
import { answerFixed, createFixedBody, type FixedBody } from '../http/fixedBody.ts'
import { parameter } from '../http/parameters.ts'
import { defineRoute, type Route } from '../http/route.ts'

const tag = 'Documentation'
const fixedHeaders = z.object({ etag: z.string().describe('Version of the response. Send it back as If-None-Match.') })

/** Common options of public files and pages. */
const served = { method: 'GET', tag, access: 'none', produces: 'text' } as const
const html = { description: 'HTML.', contentType: 'text/html', headers: fixedHeaders }

const fileName = (reported: { description: string; allowed: string }) =>
  parameter({ ...reported, schema: { type: 'string' }, parse: (text) => text })

/** `/openapi.json` of `routes` and of these, Swagger UI at `/docs`, and the pages of `docs/` at `/docs/guide`. */
export function documentationRoutes(options: { routes: readonly Route[]; version: string }): Route[] {
  const files = createDocsFiles()
  const guide = createGuide()
  let document: FixedBody | undefined

  const own: Route[] = [
    defineRoute({
      method: 'GET',
      path: '/openapi.json',
      operationId: 'getOpenapi',
      summary: 'This document',
      description: 'The API of this server, in OpenAPI 3.1.',
      tag,
      access: 'none',
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
      ...served,
      path: '/docs',
      operationId: 'getDocs',
      summary: 'A page to try the operations',
      description: 'The page is made from this document, and requests this server alone.',
      ok: html,
      handle: async ({ exchange }) => answerFixed(await files.read(''), exchange),
    }),
    defineRoute({
      ...served,
      path: '/docs/{file}',
      operationId: 'getDocsFile',
      summary: 'A file of that page',
      description: 'Scripts, styles and images.',
      params: z.object({ file: fileName({ description: 'Name of the file.', allowed: 'a file name' }) }),
      ok: { description: 'The file.', contentType: '*/*', headers: fixedHeaders },
      errors: [404],
      handle: async ({ params, exchange }) => answerFixed(await files.read(params.file), exchange),
    }),
    defineRoute({
      ...served,
      path: '/docs/guide',
      operationId: 'getGuide',
      summary: 'The guide',
      description: 'A list of the pages that show how to use and run this server.',
      ok: html,
      handle: async ({ exchange }) => answerFixed(await guide.read(''), exchange),
    }),
    defineRoute({
      ...served,
      path: '/docs/guide/{page}',
      operationId: 'getGuidePage',
      summary: 'A page of the guide',
      description: 'The same text as the file of this name in `docs/` of the package.',
      params: z.object({
        page: fileName({ description: 'Name of the page.', allowed: 'the name of a page, as `quickstart`' }),
      }),
      ok: html,
      errors: [404],
      handle: async ({ params, exchange }) => answerFixed(await guide.read(params.page || '?'), exchange),
    }),
  ]
  return own
}
