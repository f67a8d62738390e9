import { z } from 'zod'
import {
  createStreamSchema,
  type StreamDemand,
  type StreamPlace,
  streamSchema,
  streamStatusSchema,
  updateStreamSchema,
} from '../../../stream/demand.ts'
import { jsonAnswer } from '../../http/answer.ts'
import { pageParameters } from '../../http/parameters.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import type { Cursors } from '../../pages/cursor.ts'
import { listSchema, readPage } from '../../pages/filteredList.ts'
import { uuid } from '../../stream/parameters.ts'
import {
  addedAddressBody,
  addressAnswer,
  addressBody,
  addressBodyBytes,
  changedStreamSchema,
  streamAddress,
} from '../../stream/schemas.ts'

export type StreamRoutesOptions = { demand: StreamDemand; cursors: () => Promise<Cursors> }

const common = { tag: 'Streams', access: 'admin' } as const
const one = z.object({ id: uuid({ description: 'The stream.' }) })

const listQuery = z.object(pageParameters())

/** Streams and their addresses. */
export function streamRoutes(options: StreamRoutesOptions): Route[] {
  return [...definitionRoutes(options), ...addressRoutes(options)]
}

function definitionRoutes({ demand, cursors }: StreamRoutesOptions): Route[] {
  return [
    defineRoute({
      ...common,
      method: 'PUT',
      path: '/streams/evm',
      operationId: 'createStream',
      summary: 'Create a stream',
      description:
        'The server first sends a test webhook to webhookUrl. Without a 2xx response, the stream is created as paused, and statusMessage has the reason.',
      body: { schema: createStreamSchema },
      ok: { description: 'The stream.', schema: changedStreamSchema },
      handle: async ({ body }) => jsonAnswer(200, await demand.create(body)),
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/streams/evm',
      operationId: 'listStreams',
      summary: 'All streams',
      description: 'Page by page, in the order of creation.',
      query: listQuery,
      ok: { description: 'A page, in the order of creation.', schema: listSchema(streamSchema) },
      async handle({ query }) {
        const list = { operation: 'streams.1', cursors, query, defaults: { limit: 100 } }
        const body = await readPage(list, async ({ limit }, after: StreamPlace | null) => {
          const { streams, ...rest } = await demand.list({ after, limit })
          return { items: streams, ...rest }
        })
        return jsonAnswer(200, body)
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/streams/evm/{id}',
      operationId: 'getStream',
      summary: 'One stream',
      description: 'Its definition, its state and its secret.',
      params: one,
      ok: { description: 'The stream.', schema: streamSchema },
      errors: [404],
      handle: async ({ params }) => jsonAnswer(200, await demand.get(params.id)),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/streams/evm/{id}',
      operationId: 'updateStream',
      summary: 'Change a stream',
      description:
        'Fields that are omitted stay. The server first sends a test webhook to a new webhookUrl, as at creation.',
      params: one,
      body: { schema: updateStreamSchema },
      ok: { description: 'The stream as it is now.', schema: changedStreamSchema },
      errors: [404],
      handle: async ({ params, body }) => jsonAnswer(200, await demand.update(params.id, body)),
    }),
    defineRoute({
      ...common,
      method: 'DELETE',
      path: '/streams/evm/{id}',
      operationId: 'deleteStream',
      summary: 'Delete a stream',
      description:
        'Deletes the stream, its addresses and its pending webhooks. Its statistics stay: `/stats/{streamId}` still returns them, and `/stats` still counts them.',
      params: one,
      ok: { description: 'The stream as it was.', schema: streamSchema },
      errors: [404],
      handle: async ({ params }) => jsonAnswer(200, await demand.remove(params.id)),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/streams/evm/{id}/status',
      operationId: 'setStreamStatus',
      summary: 'Pause or resume a stream',
      description:
        'active sends the pending webhooks and resets the success rate of webhookUrl to 100. A paused stream keeps its position: resuming matches the blocks since then, skips them with resumeFrom now, or continues at the blocks of fromBlocks. effectiveBlocks has the first block that is matched again.',
      params: one,
      body: { schema: streamStatusSchema },
      ok: { description: 'The stream.', schema: changedStreamSchema },
      errors: [404],
      handle: async ({ params, body: { status, resumeFrom, fromBlocks } }) =>
        jsonAnswer(200, await demand.setStatus(params.id, status, fromBlocks ?? resumeFrom ?? undefined)),
    }),
  ]
}

function addressRoutes({ demand, cursors }: StreamRoutesOptions): Route[] {
  const path = '/streams/evm/{id}/address'
  const body = { schema: addressBody, maxBytes: addressBodyBytes }
  const listOf = (address: string | string[]) => (typeof address === 'string' ? [address] : address)
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path,
      operationId: 'listStreamAddresses',
      summary: 'Addresses of a stream',
      description: 'Page by page, in the order of their bytes.',
      params: one,
      query: listQuery,
      ok: { description: 'A page.', schema: listSchema(streamAddress) },
      errors: [404],
      async handle({ params, query }) {
        const list = { operation: `stream.addresses.1 ${params.id}`, cursors, query, defaults: { limit: 100 } }
        const body = await readPage(list, async ({ limit }, after: string | null) => {
          const { addresses, ...rest } = await demand.listAddresses(params.id, { after, limit })
          return { items: addresses.map((address) => ({ address })), ...rest }
        })
        return jsonAnswer(200, body)
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path,
      operationId: 'addStreamAddresses',
      summary: 'Add addresses to a stream',
      description:
        'With fromBlocks, or if the stream was created with it, the addresses also get their history from that block on: further webhooks with records that earlier ones do not contain.',
      params: one,
      body: { ...body, schema: addedAddressBody },
      ok: { description: 'Addresses that are new are watched from effectiveBlocks on.', schema: addressAnswer },
      errors: [404],
      async handle({ params, body: { address, fromBlocks } }) {
        const answer = await demand.addAddresses(params.id, listOf(address), fromBlocks ?? undefined)
        return jsonAnswer(200, { streamId: params.id, address, ...answer })
      },
    }),
    defineRoute({
      ...common,
      method: 'DELETE',
      path,
      operationId: 'removeStreamAddresses',
      summary: 'Remove addresses from a stream',
      description: 'Addresses that the stream does not watch are ignored.',
      params: one,
      body,
      ok: { description: 'The addresses are not watched from effectiveBlocks on.', schema: addressAnswer },
      errors: [404],
      async handle({ params, body: { address } }) {
        const answer = await demand.removeAddresses(params.id, listOf(address))
        return jsonAnswer(200, { streamId: params.id, address, ...answer })
      },
    }),
  ]
}
