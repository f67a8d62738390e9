import { type DiscoveredOrder, discoveredOrders } from '../../../nft/query.ts'
import type { AdminRoutesOptions } from '../../admin/admin.ts'
import { type ListedReport, listedCollectionSchema } from '../../admin/collections.ts'
import { jsonAnswer } from '../../http/answer.ts'
import { choice } from '../../http/parameters.ts'
import { fault } from '../../http/parseQuery.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { type FoundPage, listSchema, readPage } from '../../pages/filteredList.ts'
import { collectionListDefaults, collectionListDescription, collectionListQuery } from './adminCollections.ts'

const listQuery = collectionListQuery.extend({
  order: choice({
    description: 'first_seen: newest first; activity: most transfers of the last day first.',
    values: discoveredOrders,
  }).optional(),
})

/** Indexed and discovered collections for every key, without the requesters and the errors. */
export function collectionRoutes({ admin, cursors }: AdminRoutesOptions): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v2/collections',
      operationId: 'getCollections',
      summary: 'Collections that this server indexes',
      description: `${collectionListDescription} With order: contracts that new blocks show, indexed or not, of chains with discover, without status and search.`,
      tag: 'NFTs',
      access: 'read',
      query: listQuery,
      ok: { description: 'A page.', schema: listSchema(listedCollectionSchema) },
      async handle({ query }) {
        const defaults: Filters = { ...collectionListDefaults, order: null }
        const list = { operation: 'collections.1', cursors, query, defaults }
        return jsonAnswer(
          200,
          await readPage(list, (filters, after: string | null) => findPage(admin.collections, filters, after)),
        )
      },
    }),
  ]
}

type Filters = typeof collectionListDefaults & { order: DiscoveredOrder | null }

async function findPage(
  collections: AdminRoutesOptions['admin']['collections'],
  { order, ...filters }: Filters,
  after: string | null,
): Promise<FoundPage<ListedReport, string>> {
  if (order) {
    for (const name of ['status', 'search'] as const)
      if (filters[name] !== null) throw fault(name, 'is given with order; allowed: only one of them')
    return collections.discovered({ ...filters, order, after })
  }
  const { items, ...page } = await collections.list({ ...filters, after })
  return { ...page, items: items.map((report) => listedCollectionSchema.parse(report)) }
}
