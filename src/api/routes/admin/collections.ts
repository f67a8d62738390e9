import { z } from 'zod'
import type { AdminRoutesOptions } from '../../admin/admin.ts'
import { listedCollectionSchema } from '../../admin/collections.ts'
import { jsonAnswer } from '../../http/answer.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { listSchema } from '../../pages/filteredList.ts'
import { collectionListDescription, collectionListQuery, pageOfCollections } from './adminCollections.ts'

/** The collections of this server for every key: what is indexed, without who requested it and what went wrong. */
export function collectionRoutes(options: AdminRoutesOptions): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v2/collections',
      operationId: 'getCollections',
      summary: 'Collections that this server indexes',
      description: collectionListDescription,
      tag: 'NFTs',
      access: 'read',
      produces: 'json',
      params: z.object({}),
      query: collectionListQuery,
      ok: { description: 'A page.', schema: listSchema(listedCollectionSchema) },
      async handle({ query }) {
        const { result, ...page } = await pageOfCollections(options, query, 'collections.1')
        return jsonAnswer(200, { ...page, result: result.map((report) => listedCollectionSchema.parse(report)) })
      },
    }),
  ]
}
