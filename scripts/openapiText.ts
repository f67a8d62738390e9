import { createAlchemyRoutes } from '../src/api/alchemy/createAlchemyRoutes.ts'
import { createOpenapi } from '../src/api/document/openapi.ts'
import type { Route } from '../src/api/http/route.ts'
import type { ApiChain } from '../src/api/nft/chains.ts'
import { createRoutes, type RoutesOptions } from '../src/api/routes/createRoutes.ts'
import { parseConfig } from '../src/config/config.ts'
import { resolveChains } from '../src/config/resolveChains.ts'
import { readVersion } from '../src/readVersion.ts'

/**
 * Returns the text of `openapi.json` for the default configuration, with each operation and component on its own line. It only reads the
 * table of routes.
 */
export function openapiText(): string {
  const unused = undefined as never
  const version = readVersion()
  const chains = resolveChains(parseConfig({}))
  const options: RoutesOptions = {
    chains: { chains, states: unused },
    nft: {
      nft: unused,
      wallets: unused,
      whole: unused,
      walletDemand: unused,
      reports: unused,
      transfers: unused,
      holders: unused,
      origins: unused,
      chains,
      collections: unused,
      pages: unused,
      answers: unused,
      cache: unused,
      pagesAsOf: unused,
      nftAsOf: unused,
      asOf: unused,
      cursors: unused,
      salt: unused,
      feeds: unused,
      listeners: unused,
      metrics: unused,
    },
    written: { chains, collections: unused, asOf: unused, metadata: unused, files: unused },
    coin: {
      query: unused,
      icons: unused,
      networks: unused,
      answers: unused,
      cache: unused,
      cursors: unused,
      salt: unused,
    },
    streams: { demand: unused, cursors: unused },
    deliveries: { query: unused, store: unused, cursors: unused },
    service: { version, ready: unused, unreachableNodes: unused, metrics: unused, metricsPublic: false },
    console: unused,
    mcp: { request: unused, version },
    session: { sessions: unused, codes: unused },
    dialects: alchemyRoutes(chains),
    admin: { admin: unused, cursors: unused, forget: unused },
    version,
  }
  return `${lines(createOpenapi({ routes: createRoutes(options), version }), 3)}\n`
}

function alchemyRoutes(chains: readonly ApiChain[]): Route[] {
  const unused = undefined as never
  return createAlchemyRoutes({
    ...{ chains, nft: unused, wallets: unused, whole: unused, walletDemand: unused, transfers: unused },
    ...{ holders: unused, origins: unused, metadata: unused },
    ...{ collections: unused, reports: unused, asOf: unused, cursors: unused },
    ...{ answers: unused, cache: unused, salt: unused },
  }).described
}

/** Returns JSON with a line for each value at depth `depth`. */
function lines(value: object, depth: number): string {
  if (depth === 0 || Array.isArray(value) || typeof value !== 'object') return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${lines(inner, depth - 1)}`)
  return `{\n${fields.join(',\n')}\n}`
}
