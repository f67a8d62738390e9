import { z } from 'zod'
import { sentTestWebhookSchema, streamPreviewSchema } from '../../../stream/query.ts'
import type { AdminRoutesOptions } from '../../admin/admin.ts'
import { previewStreamSchema } from '../../admin/streamTrials.ts'
import { jsonAnswer } from '../../http/answer.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { uuid } from '../../stream/parameters.ts'

const common = { tag: 'Admin', access: 'admin' } as const

/** Trials of streams: a preview before a stream is created, and a test webhook to its receiver. */
export function adminStreamRoutes(options: AdminRoutesOptions): Route[] {
  return [
    defineRoute({
      ...common,
      method: 'POST',
      path: '/admin/streams/preview',
      operationId: 'previewStream',
      summary: 'Preview the matches of a stream',
      description:
        'Matches the last blocks of a chain, at most 100 and for at most 10 seconds, as a stream of this definition would have them, and shows up to 50 of its webhooks. No stream is created and nothing is sent. A process makes two previews at once; further requests get 429.',
      body: { schema: previewStreamSchema },
      ok: { description: 'What matched.', schema: streamPreviewSchema },
      errors: [404, 409, 429],
      handle: async ({ body }) => jsonAnswer(200, await options.admin.streams.preview(body)),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/admin/streams/{id}/test',
      operationId: 'testStream',
      summary: 'Send the test webhook of a stream',
      description:
        "Sends the test webhook to the webhookUrl of the stream, whatever its status, signed like all its webhooks, and returns the receiver's response. The test webhook is in no history and no counter; the stream does not change.",
      params: z.object({ id: uuid({ description: 'The stream.' }) }),
      ok: { description: "The receiver's response, also if it is a failure.", schema: sentTestWebhookSchema },
      errors: [404],
      handle: async ({ params }) => jsonAnswer(200, await options.admin.streams.test(params.id)),
    }),
  ]
}
