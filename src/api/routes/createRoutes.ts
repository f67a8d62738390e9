import type { Route } from '../route.ts'
import { documentationRoutes } from './documentation.ts'
import { type Media, mediaRoutes } from './media.ts'
import { type NftRoutesOptions, nftRoutes } from './nft.ts'
import { type ServiceRoutesOptions, serviceRoutes } from './service.ts'

export type RoutesOptions = {
  nft: NftRoutesOptions
  service: ServiceRoutesOptions
  media?: Media | undefined
  version: string
}

/** The whole table: what is served, what validates it, and what `/openapi.json` says. */
export function createRoutes({ nft, service, media, version }: RoutesOptions): Route[] {
  const routes = [...nftRoutes(nft), ...mediaRoutes(media), ...serviceRoutes(service)]
  return [...routes, ...documentationRoutes({ routes, version })]
}
