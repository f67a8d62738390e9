import type { Route } from '../http/route.ts'
import type { AlchemyOptions } from './alchemyRoute.ts'
import { contractNftsRoutes } from './contractNfts.ts'
import { contractRoutes } from './contracts.ts'
import { baseRoute, describedRoutes } from './describedRoutes.ts'
import { nftMetadataRoutes } from './nftMetadata.ts'
import { ownedNftsRoutes } from './ownedNfts.ts'
import { ownersRoutes } from './owners.ts'
import { salesRoutes } from './sales.ts'
import { spamRoutes } from './spam.ts'
import { traitRoutes } from './traits.ts'
import { rpcRoutes } from './transfers/rpc.ts'
import { walletContractsRoutes } from './walletContracts.ts'

/** Alchemy's NFT API v3. `described`: the routes for `openapi.json`, which also answer unknown names. */
export function createAlchemyRoutes(options: AlchemyOptions): { routes: Route[]; described: Route[] } {
  const routes = [
    ...nftMetadataRoutes(options),
    ...contractNftsRoutes(options),
    ...ownedNftsRoutes(options),
    ...ownersRoutes(options),
    ...contractRoutes(options),
    ...walletContractsRoutes(options),
    ...spamRoutes(options),
    ...traitRoutes(options),
    ...salesRoutes(options),
  ]
  const rpc = rpcRoutes(options)
  const namesOf = (method: Route['method']) =>
    routes.filter((route) => route.method === method).map(({ summary }) => summary)
  const names = { GET: namesOf('GET'), POST: namesOf('POST') }
  return {
    routes: [...routes, baseRoute({ chains: options.chains, names: names.GET }), rpc.atNode],
    described: [...describedRoutes({ chains: options.chains, names }), rpc.atRest],
  }
}
