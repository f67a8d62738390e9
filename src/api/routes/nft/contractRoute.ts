import { z } from 'zod'
import { address } from '../../http/parameters.ts'
import { indexOnlyHeaderSchema } from '../../nft/schemas.ts'

/** What the routes on a contract share. Their 404 shows how far it is indexed. */
export const contractRoute = {
  tag: 'NFTs',
  access: 'read',
  params: z.object({ address: address({ description: 'The contract.' }) }),
  errors: [404],
  notFoundHeaders: indexOnlyHeaderSchema,
} as const

/** The same of those that are answered of a block that the client may choose. */
export const contractRouteAt = {
  ...contractRoute,
  errors: [404, 409],
  badRequestHeaders: indexOnlyHeaderSchema,
} as const
