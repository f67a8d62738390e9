import { z } from 'zod'
import { webhookSecretText } from '../../../stream/demand.ts'
import type { StreamStore } from '../../../stream/store.ts'
import { UnknownStreamError } from '../../../util/errors.ts'
import { jsonAnswer } from '../../http/answer.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { uuid } from '../../stream/parameters.ts'

const common = { tag: 'Webhooks', access: 'admin' } as const

const region = z
  .enum(['us-east-1', 'us-west-2', 'eu-central-1', 'ap-southeast-1'])
  .describe('Kept for published clients; it has no effect on this server.')
const secretKey = z
  .string()
  .min(1)
  .max(1_024)
  .describe('Key of the header x-signature; a generated one until it is set.')

const settingsSchema = z
  .object({ region, secretKey })
  .meta({ id: 'StreamSettings', description: 'Settings of all streams.' })
const changeSchema = z.object({ region: region.nullish(), secretKey: secretKey.nullish() }).meta({
  id: 'ChangeStreamSettings',
  description: 'The settings to change.',
  examples: [{ secretKey: 'a long random text' }],
})

const operationsPath = '/settings/operations'
const operationsSchema = z
  .object({ webhookSecret: z.string().describe('Key of both signatures of operational webhooks.') })
  .meta({ id: 'OperationsSettings', description: 'The secret of operational webhooks.' })

/** Settings of all streams, and secrets. */
export function settingsRoutes({ store }: { store: StreamStore }): Route[] {
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path: '/settings',
      operationId: 'getSettings',
      summary: 'Settings of all streams',
      description: 'The region, and the key that x-signature is made with.',
      ok: { description: 'The settings.', schema: settingsSchema },
      handle: async () => jsonAnswer(200, await store.settings()),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/settings',
      operationId: 'setSettings',
      summary: 'Change settings of all streams',
      description: 'Settings that are omitted stay. Webhooks sent from then on are signed with the new secretKey.',
      body: { schema: changeSchema },
      ok: { description: 'The settings.', schema: settingsSchema },
      async handle({ body }) {
        await store.changeSettings({ region: body.region ?? undefined, secretKey: body.secretKey ?? undefined })
        return jsonAnswer(200, await store.settings())
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: operationsPath,
      operationId: 'getOperationsSettings',
      summary: 'Secret of operational webhooks',
      description: 'The key of both signatures of operational webhooks.',
      ok: { description: 'The secret; generated until it is set.', schema: operationsSchema },
      handle: async () => jsonAnswer(200, { webhookSecret: await store.operationsSecret() }),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: operationsPath,
      operationId: 'setOperationsSettings',
      summary: 'Change the secret of operational webhooks',
      description: 'Later operational webhooks are signed with the new secret alone.',
      body: {
        schema: z.object({ webhookSecret: webhookSecretText.nullish().describe('Omitted: a new one is generated.') }),
      },
      ok: { description: 'The secret.', schema: operationsSchema },
      async handle({ body }) {
        const webhookSecret = await store.changeOperationsSecret(body.webhookSecret ?? undefined)
        return jsonAnswer(200, { webhookSecret })
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/streams/evm/{id}/secret',
      operationId: 'rotateStreamSecret',
      summary: 'Rotate the secret of a stream',
      description: 'webhook-signature carries a signature by each of the two secrets until the previous one expires.',
      params: z.object({ id: uuid({ description: 'The stream.' }) }),
      ok: {
        description: 'The new secret.',
        schema: z.object({
          id: z.uuid().describe('The stream.'),
          webhookSecret: z.string().describe('Key of the Standard Webhooks signature from now on, whsec_….'),
          previousUntil: z.iso.datetime().describe('Until when the previous secret signs too.'),
        }),
      },
      errors: [404],
      async handle({ params }) {
        const rotated = await store.rotateSecret(params.id)
        if (!rotated) throw new UnknownStreamError(params.id)
        return jsonAnswer(200, { id: params.id, ...rotated })
      },
    }),
  ]
}
