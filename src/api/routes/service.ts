import { z } from 'zod'
import type { Metrics } from '../../metrics/metrics.ts'
import { UnavailableError } from '../../util/errors.ts'
import { type Answer, jsonAnswer } from '../http/answer.ts'
import { defineRoute, type Exchange, type Route } from '../http/route.ts'

export type ServiceRoutesOptions = {
  version: string
  /** Names of unready parts. */
  ready(): Promise<string[]>
  /** Unreachable nodes of the database's cluster. */
  unreachableNodes(): readonly string[]
  /** Lag of the read replica; undefined: there is none. */
  replica?: (() => ReplicaLag | undefined) | undefined
  metrics: Pick<Metrics, 'registry'>
  metricsPublic: boolean
  /** The console's page for browsers at `/`; undefined: there is no console. */
  page(exchange: Exchange): Promise<Answer> | undefined
}

/** Lag of a read replica behind the primary. */
export type ReplicaLag = {
  /** Seconds since the replica last showed all changes of the primary. */
  lagSeconds: number
  /** Bytes of the primary's WAL that are not replayed. */
  lagBytes: number
  /** Replay is paused. */
  isPaused: boolean
}

const tag = 'Server'

/** The routes about the server itself: root, health, readiness, metrics. */
export function serviceRoutes({
  version,
  ready,
  unreachableNodes,
  replica,
  metrics,
  metricsPublic,
  page,
}: ServiceRoutesOptions): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/',
      operationId: 'getRoot',
      summary: 'Server information',
      description: 'Name and version, and links to the documentation; the console if Accept contains text/html.',
      tag,
      access: 'none',
      produces: 'text',
      ok: {
        description: 'Name, version and links to the documentation; or the page of the console.',
        contentType: ['application/json', 'text/html'],
        headers: z.object({
          etag: z.string().optional().describe('Version of the response. Send it back as If-None-Match.'),
        }),
        schema: z.object({
          name: z.string().meta({ description: 'Name of the program.', examples: ['mintmark'] }),
          version: z.string().describe('Version of the program.'),
          docs: z.string().describe('Path of a page to try the operations.'),
          openapi: z.string().describe('Path of this document.'),
        }),
      },
      handle: ({ exchange }) =>
        (exchange.header('accept')?.includes('text/html') ? page(exchange) : undefined) ??
        jsonAnswer(200, { name: 'mintmark', version, docs: '/docs', openapi: '/openapi.json' }, ['vary', 'Accept']),
    }),
    defineRoute({
      method: 'GET',
      path: '/health',
      operationId: 'getHealth',
      summary: 'Liveness',
      description: 'Returns 200 also while the server starts, and while its database is unreachable.',
      tag,
      access: 'none',
      ok: {
        description: 'The process is alive.',
        schema: z.object({
          status: z.literal('ok').describe('Always ok.'),
          version: z.string().describe('Version of the program.'),
        }),
      },
      handle: () => jsonAnswer(200, { status: 'ok', version }),
    }),
    defineRoute({
      method: 'GET',
      path: '/ready',
      operationId: 'getReady',
      summary: 'Readiness',
      description: '503 lists what is not ready.',
      tag,
      access: 'none',
      ok: {
        description: 'Every dependency responded.',
        schema: z.object({
          status: z.literal('ready').describe('Always ready.'),
          replica: z
            .object({
              lagSeconds: z
                .number()
                .min(0)
                .describe(
                  'Replication lag in seconds: how long the primary has had changes that the replica does not show.',
                ),
              lagBytes: z
                .number()
                .min(0)
                .describe("Replication lag in bytes: the primary's WAL that the replica has not replayed."),
              isPaused: z.boolean().describe('Whether replay is paused.'),
            })
            .optional()
            .describe('Lag of the read replica, if pages are read from one.'),
          nodesAway: z
            .int()
            .min(1)
            .optional()
            .describe(
              "Number of unreachable nodes of the database's Citus cluster, if there are any. Data on the other nodes is served.",
            ),
        }),
      },
      async handle(): Promise<Answer> {
        const waitingFor = await ready()
        const lag = replica?.()
        const unreachable = unreachableNodes().length
        if (waitingFor.length === 0)
          return jsonAnswer(200, {
            status: 'ready',
            ...(lag && { replica: lag }),
            ...(unreachable > 0 && { nodesAway: unreachable }),
          })
        throw new UnavailableError(
          `not ready, waiting for ${waitingFor.join(', ')}; the log of the server shows the reason`,
          {
            details: { waitingFor },
          },
        )
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/metrics',
      operationId: 'getMetrics',
      summary: 'Prometheus metrics',
      description: 'In the text format of Prometheus. docs/operations.md explains each metric.',
      tag,
      access: metricsPublic ? 'none' : 'read',
      produces: 'text',
      ok: { description: 'The metrics.', contentType: 'text/plain' },
      async handle(): Promise<Answer> {
        const text = await metrics.registry.metrics()
        return { status: 200, headers: ['content-type', metrics.registry.contentType], body: Buffer.from(text) }
      },
    }),
  ]
}
