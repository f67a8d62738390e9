import { z } from 'zod'
import { address } from '../../http/parameters.ts'
import { indexOnlyHeaderSchema } from '../../nft/schemas.ts'

/** Common options of routes about a contract. Their 404 has its indexing status. */
export const contractRoute = {
  tag: 'NFTs',
  access: 'read',
  params: z.object({ address: address({ description: 'The contract.' }) }),
  errors: [404],
  notFoundHeaders: indexOnlyHeaderSchema,
} as const

/** The same for routes with a selectable block. */
export const contractRouteAt = {
  ...contractRoute,
  errors: [404, 409],
  badRequestHeaders: indexOnlyHeaderSchema,
} as const
