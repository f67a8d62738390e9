import { z } from 'zod'
import { type CollectionStatus, collectionStatuses } from '../../../nft/query.ts'
import { BadRequestError } from '../../../util/errors.ts'
import type { AdminRoutesOptions } from '../../admin/admin.ts'
import { chainName } from '../../admin/chains.ts'
import {
  type CollectionPath,
  collectionDetailSchema,
  collectionSchema,
  flagSchema,
  removalSchema,
  verdictSchema,
} from '../../admin/collections.ts'
import { type Answer, jsonAnswer } from '../../http/answer.ts'
import { address, choice, pageParameters, parameter } from '../../http/parameters.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { listSchema, readPage } from '../../pages/filteredList.ts'

const common = { tag: 'Admin', access: 'admin' } as const

const path = '/admin/collections/{chain}/{address}'
const one = z.object({ chain: chainName, address: address({ description: 'The contract.' }) })

export const collectionListDescription =
  'Page by page, in the order of chain and address. A page of a search through many thousands may have fewer collections than its limit, and a cursor. total counts the first 100,000.'

export const collectionListQuery = z.object({
  chain: chainName.optional(),
  status: choice({ description: 'Only collections in this status.', values: collectionStatuses }).optional(),
  search: parameter({
    description: 'Only collections whose name contains this text, in any case, or whose address begins with it.',
    allowed: 'a text of 1 to 200 characters',
    schema: { type: 'string', minLength: 1, maxLength: 200, examples: ['apes'] },
    parse: (text) => (text !== '' && text.length <= 200 ? text : undefined),
  }).optional(),
  ...pageParameters(),
})

export const collectionListDefaults = {
  limit: 100,
  chain: null as string | null,
  status: null as CollectionStatus | null,
  search: null as string | null,
}

export function adminCollectionRoutes(options: AdminRoutesOptions): Route[] {
  return [listRoute(options), ...oneRoutes(options)]
}

function listRoute({ admin, cursors }: AdminRoutesOptions): Route {
  return defineRoute({
    ...common,
    method: 'GET',
    path: '/admin/collections',
    operationId: 'listCollections',
    summary: 'Collections',
    description: collectionListDescription,
    query: collectionListQuery,
    ok: { description: 'A page.', schema: listSchema(collectionSchema) },
    async handle({ query }) {
      const list = { operation: 'admin.collections.1', cursors, query, defaults: collectionListDefaults }
      return jsonAnswer(
        200,
        await readPage(list, (filters, after: string | null) => admin.collections.list({ ...filters, after })),
      )
    },
  })
}

function oneRoutes(options: AdminRoutesOptions): Route[] {
  async function remove(path: CollectionPath, reindex: boolean): Promise<Answer> {
    const removed = await options.admin.collections.remove(path, { reindex })
    options.forget(BigInt(removed.chainId), path.address)
    return jsonAnswer(200, removed)
  }

  return [
    defineRoute({
      ...common,
      method: 'GET',
      path,
      operationId: 'getCollection',
      summary: 'One collection',
      description:
        'Status and progress, how fast history is read, whether the collection counts as spam and as verified and why, what is omitted, and its metadata and previews by state.',
      params: one,
      ok: { description: 'The collection.', schema: collectionDetailSchema },
      errors: [404],
      handle: async ({ params }) => jsonAnswer(200, await options.admin.collections.get(params)),
    }),
    defineRoute({
      ...common,
      method: 'DELETE',
      path,
      operationId: 'deleteCollection',
      summary: 'Remove a collection',
      description:
        'The collection is removed at once, and its rows in the background. Other processes show it up to pageCache.freshMs longer. The next request for the contract indexes it again.',
      params: one,
      ok: { description: 'What was removed.', schema: removalSchema },
      errors: [404],
      handle: ({ params }) => remove(params, false),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: `${path}/reindex`,
      operationId: 'reindexCollection',
      summary: 'Reindex a collection',
      description:
        "The collection is removed and queued at once, and its rows are removed in the background. Other processes show it up to pageCache.freshMs longer. The operator's override and the key that requested the collection stay.",
      params: one,
      ok: { description: 'What was removed.', schema: removalSchema },
      errors: [404],
      handle: ({ params }) => remove(params, true),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: `${path}/flag`,
      operationId: 'flagCollection',
      summary: 'Mark a collection as spam or verified',
      description:
        "The operator's flag overrides lists and rules; auto removes it. Pages of this process show it at once, those of others after pageCache.freshMs at most.",
      params: one,
      body: { schema: flagSchema },
      ok: { description: 'Whether it counts as spam and as verified.', schema: verdictSchema },
      errors: [404],
      async handle({ params, body: { spam, verified } }) {
        if (!spam && !verified)
          throw new BadRequestError('spam and verified are missing; allowed: one of them or both, as yes, no or auto', {
            details: { parameter: 'spam' },
          })
        const flags = { ...(spam && { spam }), ...(verified && { verified }) }
        const { chainId, verdict } = await options.admin.collections.flag(params, flags)
        options.forget(chainId, params.address)
        return jsonAnswer(200, verdict)
      },
    }),
  ]
}
