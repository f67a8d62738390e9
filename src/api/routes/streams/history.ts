import { z } from 'zod'
import {
  type DeliveryPlace,
  type LogPlace,
  listedDelivery,
  logItem,
  type StreamQuery,
  type WebhookStatus,
  webhookStatuses,
} from '../../../stream/query.ts'
import { rangeReplaySchema, type StreamStore } from '../../../stream/store.ts'
import { NotFoundError, UnknownStreamError } from '../../../util/errors.ts'
import { jsonAnswer } from '../../http/answer.ts'
import { choice, flag, pageParameters } from '../../http/parameters.ts'
import { fault } from '../../http/parseQuery.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import type { Cursors } from '../../pages/cursor.ts'
import { listSchema, readPage } from '../../pages/filteredList.ts'
import { blockNumber, chainIdHex, uuid } from '../../stream/parameters.ts'

export type HistoryRoutesOptions = { query: StreamQuery; store: StreamStore; cursors: () => Promise<Cursors> }

const tag = 'Webhooks'

const status = choice({
  description: 'Only webhooks in this status.',
  values: webhookStatuses,
})
const common = {
  ...pageParameters(),
  streamId: uuid({ description: 'Only of this stream.' }).optional(),
  webhookId: uuid({ description: 'Only of this webhook, by its webhook-id; together with streamId.' }).optional(),
}

/** Ledger of webhooks and attempts, and replays. */
export function historyRoutes(options: HistoryRoutesOptions): Route[] {
  return [historyRoute(options), logsRoute(options), ...replayRoutes(options)]
}

function historyRoute({ query: streams, cursors }: HistoryRoutesOptions): Route {
  return defineRoute({
    method: 'GET',
    path: '/history',
    operationId: 'getHistory',
    summary: 'Webhooks, the latest first',
    description:
      'A page whose payloads come to more than 4 MiB has fewer items than its limit, and a cursor. So may a page with status=delivered if most webhooks have another status.',
    tag,
    access: 'admin',
    query: z.object({
      ...common,
      excludePayload: flag({ description: 'true: without payload.', default: false }).optional(),
      status: status.optional(),
    }),
    ok: { description: 'A page.', schema: listSchema(listedDelivery) },
    async handle({ query }) {
      const defaults = {
        limit: 100,
        streamId: null as string | null,
        webhookId: null as string | null,
        excludePayload: false,
        status: null as WebhookStatus | null,
      }
      const list = { operation: 'stream.history.1', cursors, query, defaults }
      const body = await readPage(list, (filters, after: DeliveryPlace | null) =>
        streams.deliveries({ ...filters, ...ofOne(filters), after }),
      )
      return jsonAnswer(200, body)
    },
  })
}

function logsRoute({ query: streams, cursors }: HistoryRoutesOptions): Route {
  return defineRoute({
    method: 'GET',
    path: '/history/logs',
    operationId: 'getLogs',
    summary: 'Attempts to deliver, the latest first',
    description: 'Each attempt is one item, the failed ones too, until its webhook is removed.',
    tag,
    access: 'admin',
    query: z.object(common),
    ok: { description: 'A page.', schema: listSchema(logItem) },
    async handle({ query }) {
      const defaults = { limit: 100, streamId: null as string | null, webhookId: null as string | null }
      const list = { operation: 'stream.logs.1', cursors, query, defaults }
      const body = await readPage(list, ({ limit, ...filters }, after: LogPlace | null) =>
        streams.logs({ limit, ...ofOne(filters), after }),
      )
      return jsonAnswer(200, body)
    },
  })
}

function ofOne({ streamId, webhookId }: { streamId: string | null; webhookId: string | null }) {
  if (webhookId !== null && streamId === null)
    throw fault('webhookId', 'has no streamId beside it; allowed: together with the streamId of its stream')
  return { streamId, webhookId }
}

function replayRoutes({ store }: HistoryRoutesOptions): Route[] {
  const stream = uuid({ description: 'The stream.' })
  return [
    defineRoute({
      method: 'POST',
      path: '/history/replay/{streamId}/{id}',
      operationId: 'replayHistory',
      summary: 'Replay a webhook',
      description:
        'Sends the first body of the webhook again, byte for byte, under the same webhook-id, and retries it as any other. One that was not attempted yet is sent in its turn, once. A retracted webhook is never sent again: 409. A webhook that retention removed returns 410.',
      tag,
      access: 'admin',
      params: z.object({ streamId: stream, id: uuid({ description: 'The webhook, by its webhook-id.' }) }),
      ok: { description: 'The webhook.', schema: listedDelivery },
      errors: [404, 409, 410],
      async handle({ params }) {
        const item = await store.replay(params.streamId, params.id)
        if (!item) throw new NotFoundError(`the stream ${params.streamId} has no webhook ${params.id}`)
        return jsonAnswer(200, item)
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/history/replay/{streamId}',
      operationId: 'replayRange',
      summary: 'Replay a range of webhooks',
      description:
        'Sends every webhook of the stream that matches the parameters, or all of them, one after the other in their original order. Retracted webhooks, and those not attempted yet, are skipped. A long range is queued part by part, while the parts before are sent.',
      tag,
      access: 'admin',
      params: z.object({ streamId: stream }),
      query: z.object({
        chain: chainIdHex({ description: 'Only of this chain.' }).optional(),
        fromBlock: blockNumber({ description: 'First block.' }).optional(),
        toBlock: blockNumber({ description: 'Last block.' }).optional(),
        status: status.optional(),
      }),
      ok: { description: 'Progress of the replay.', schema: rangeReplaySchema },
      errors: [404],
      async handle({ params, query }) {
        if (query.fromBlock !== undefined && query.toBlock !== undefined && query.fromBlock > query.toBlock)
          throw fault('fromBlock', `is ${query.fromBlock}, above toBlock; allowed: a block from 0 to ${query.toBlock}`)
        const replay = await store.replayRange(params.streamId, {
          chainId: query.chain ?? null,
          fromBlock: query.fromBlock ?? null,
          toBlock: query.toBlock ?? null,
          status: query.status ?? null,
        })
        if (!replay) throw new UnknownStreamError(params.streamId)
        return jsonAnswer(200, replay)
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/history/replay/{streamId}/{id}',
      operationId: 'getRangeReplay',
      summary: 'Progress of a range replay',
      description: 'By the id of the replay.',
      tag,
      access: 'admin',
      params: z.object({ streamId: stream, id: uuid({ description: 'The replay.' }) }),
      ok: { description: 'Progress of the replay.', schema: rangeReplaySchema },
      errors: [404],
      async handle({ params }) {
        const replay = await store.rangeReplay(params.streamId, params.id)
        if (!replay) throw new NotFoundError(`the stream ${params.streamId} has no replay ${params.id}`)
        return jsonAnswer(200, replay)
      },
    }),
  ]
}
