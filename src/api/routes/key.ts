import { z } from 'zod'
import { jsonAnswer } from '../http/answer.ts'
import { defineRoute, type Route } from '../http/route.ts'

const schema = z
  .object({
    access: z.enum(['read', 'admin']).describe('read: the key may read data; admin: it may do everything.'),
  })
  .meta({ id: 'OwnKey', description: 'What the key of a request may do.' })

/** Shows a client its own key's access, so that it offers only allowed actions. */
export function keyRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/key',
      operationId: 'getOwnKey',
      summary: 'Access of the current key',
      description: 'For user interfaces, which can hide what the key may not do.',
      tag: 'Server',
      access: 'read',
      ok: { description: 'What the key may do.', schema },
      handle: ({ exchange }) => jsonAnswer(200, { access: exchange.key?.access ?? 'read' }),
    }),
  ]
}
