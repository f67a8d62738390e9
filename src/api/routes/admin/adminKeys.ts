import { z } from 'zod'
import { type KeyStatus, keyStatuses } from '../../../db/keys.ts'
import { NotFoundError } from '../../../util/errors.ts'
import type { AdminRoutesOptions } from '../../admin/admin.ts'
import { createdKeySchema, createKeySchema, keySchema, shownKey } from '../../admin/keys.ts'
import { jsonAnswer } from '../../http/answer.ts'
import { choice, pageParameters, parameter } from '../../http/parameters.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { listSchema, readPage } from '../../pages/filteredList.ts'

const common = { tag: 'Admin', access: 'admin' } as const

const keyId = parameter({
  description: 'Id of the key, as in the list of keys.',
  allowed: 'the number of a key, such as 3',
  schema: { type: 'string', pattern: '^[0-9]{1,18}$', examples: ['3'] },
  parse: (text) => (/^\d{1,18}$/.test(text) ? BigInt(text) : undefined),
})

const listQuery = z.object({
  status: choice({ description: 'Only keys in this status; omitted: all.', values: keyStatuses }).optional(),
  ...pageParameters(),
})

export function adminKeyRoutes(options: AdminRoutesOptions): Route[] {
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path: '/admin/keys',
      operationId: 'listKeys',
      summary: 'API keys',
      description: "Page by page, oldest first, without their texts. The configuration's own key is not among them.",
      query: listQuery,
      ok: { description: 'A page.', schema: listSchema(keySchema) },
      async handle({ query }) {
        const defaults = { limit: 100, status: null as KeyStatus | null }
        const list = { operation: 'admin.keys.1', cursors: options.cursors, query, defaults }
        const body = await readPage(list, async (filters, after: string | null) => {
          const { items, ...rest } = await options.admin.keys.list({
            ...filters,
            after: after === null ? null : BigInt(after),
          })
          return { items: items.map(shownKey), ...rest }
        })
        return jsonAnswer(200, body)
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/admin/keys',
      operationId: 'createKey',
      summary: 'Create an API key',
      description: 'The text of the key is only in this response: a lost key cannot be shown again, only replaced.',
      body: { schema: createKeySchema },
      ok: { description: 'The key, with its text.', schema: createdKeySchema },
      async handle({ body: { name, access, requestsPerSecond, burst } }) {
        const { key, ...made } = await options.admin.keys.create({
          name,
          access: access ?? 'read',
          requestsPerSecond: requestsPerSecond ?? null,
          burst: burst ?? null,
        })
        return jsonAnswer(200, { ...shownKey(made), key })
      },
    }),
    defineRoute({
      ...common,
      method: 'DELETE',
      path: '/admin/keys/{id}',
      operationId: 'revokeKey',
      summary: 'Revoke an API key',
      description: 'Every server rejects it within a second, permanently. It stays in the list, as revoked.',
      params: z.object({ id: keyId }),
      ok: { description: 'The key as it is now.', schema: keySchema },
      errors: [404],
      async handle({ params: { id } }) {
        const key = await options.admin.keys.revoke(id)
        if (!key) throw new NotFoundError(`there is no active key ${id}`, { details: { parameter: 'id' } })
        return jsonAnswer(200, shownKey(key))
      },
    }),
  ]
}
