import type { Route } from '../route.ts'
import { type CoinRoutesOptions, coinRoutes } from './coins.ts'
import { documentationRoutes } from './documentation.ts'
import { type Media, mediaRoutes } from './media.ts'
import { type NftRoutesOptions, nftRoutes } from './nft.ts'
import { type NftMetadataRoutesOptions, nftMetadataRoutes } from './nftMetadata.ts'
import { type ServiceRoutesOptions, serviceRoutes } from './service.ts'

export type RoutesOptions = {
  nft: NftRoutesOptions & NftMetadataRoutesOptions
  coin: CoinRoutesOptions
  service: ServiceRoutesOptions
  media?: Media | undefined
  version: string
}

/** The whole table: what is served, what validates it, and what `/openapi.json` says. */
export function createRoutes({ nft, coin, service, media, version }: RoutesOptions): Route[] {
  const routes = [
    ...nftRoutes(nft),
    ...nftMetadataRoutes(nft),
    ...coinRoutes(coin),
    ...mediaRoutes(media),
    ...serviceRoutes(service),
  ]
  return [...routes, ...documentationRoutes({ routes, version })]
}
