import { z } from 'zod'
import { UnavailableError } from '../../errors.ts'
import type { Metrics } from '../../metrics.ts'
import { type Answer, jsonAnswer } from '../answer.ts'
import { defineRoute, type Route } from '../route.ts'

export type ServiceRoutesOptions = {
  version: string
  /** Names of what is not ready. */
  ready(): Promise<string[]>
  metrics: Pick<Metrics, 'registry'>
  metricsPublic: boolean
}

const nothing = z.object({})
const tag = 'Server'

/** How the server itself does. */
export function serviceRoutes({ version, ready, metrics, metricsPublic }: ServiceRoutesOptions): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/',
      operationId: 'getRoot',
      summary: 'What this server is',
      tag,
      access: 'none',
      produces: 'json',
      params: nothing,
      query: nothing,
      ok: {
        description: 'Name, version, and where to read on.',
        schema: z.object({ name: z.string(), version: z.string(), docs: z.string(), openapi: z.string() }),
      },
      handle: () => jsonAnswer(200, { name: 'mintmark', version, docs: '/docs', openapi: '/openapi.json' }),
    }),
    defineRoute({
      method: 'GET',
      path: '/health',
      operationId: 'getHealth',
      summary: 'Whether the process is alive',
      tag,
      access: 'none',
      produces: 'json',
      params: nothing,
      query: nothing,
      ok: { description: 'It is.', schema: z.object({ status: z.literal('ok'), version: z.string() }) },
      handle: () => jsonAnswer(200, { status: 'ok', version }),
    }),
    defineRoute({
      method: 'GET',
      path: '/ready',
      operationId: 'getReady',
      summary: 'Whether the database and the configured chains answered',
      tag,
      access: 'none',
      produces: 'json',
      params: nothing,
      query: nothing,
      ok: { description: 'They did.', schema: z.object({ status: z.literal('ready') }) },
      async handle(): Promise<Answer> {
        const waitingFor = await ready()
        if (waitingFor.length === 0) return jsonAnswer(200, { status: 'ready' })
        throw new UnavailableError(`not ready: ${waitingFor.join(', ')}`, { details: { waitingFor } })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/metrics',
      operationId: 'getMetrics',
      summary: 'Figures for Prometheus',
      tag,
      access: metricsPublic ? 'none' : 'read',
      produces: 'text',
      params: nothing,
      query: nothing,
      ok: { description: 'All figures.', contentType: 'text/plain' },
      async handle(): Promise<Answer> {
        const text = await metrics.registry.metrics()
        return { status: 200, headers: ['content-type', metrics.registry.contentType], body: Buffer.from(text) }
      },
    }),
  ]
}
