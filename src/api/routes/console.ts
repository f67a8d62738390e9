import { z } from 'zod'
import type { ConsoleAnswers } from '../console/consoleAnswers.ts'
import { parameter } from '../http/parameters.ts'
import { defineRoute, type Route } from '../http/route.ts'

const common = { method: 'GET', tag: 'Console', access: 'none', produces: 'text' } as const
const headers = z.object({ etag: z.string().describe('Version of the response. Send it back as If-None-Match.') })

const path = parameter({
  description: 'Path of a view or of a file.',
  allowed: 'a path',
  schema: { type: 'string' },
  parse: (text) => text,
})

/** The console's page and files. The page is at `/` too. */
export function consoleRoutes(console: ConsoleAnswers): Route[] {
  return [
    defineRoute({
      ...common,
      path: '/console',
      operationId: 'getConsole',
      summary: 'The console',
      description: 'The same page as at `/` for a browser.',
      ok: { description: 'HTML.', contentType: 'text/html', headers },
      errors: [404],
      handle: ({ exchange }) => console.below('', exchange),
    }),
    defineRoute({
      ...common,
      path: '/console/{path}',
      takesRest: true,
      operationId: 'getConsoleFile',
      summary: 'A view or a file of the console',
      description:
        'Scripts and styles below `/console/assets/`. Every other path, of any depth, is the page, which shows the view of that path.',
      params: z.object({ path }),
      ok: { description: 'The file.', contentType: '*/*', headers },
      errors: [404],
      handle: ({ params, exchange }) => console.below(params.path, exchange),
    }),
  ]
}
