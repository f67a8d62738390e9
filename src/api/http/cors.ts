/** The headers that answer cross-origin requests of browsers. */
export type Cors = {
  /** For every answer to a request from `origin`; empty for a missing or disallowed origin. */
  headers(origin: string | undefined): readonly string[]
  /** For the answer to a preflight that requests the headers `requested`. */
  preflight(origin: string | undefined, methods: string, requested: string | undefined): string[]
}

const exposed = [
  'etag',
  'retry-after',
  'allow',
  'www-authenticate',
  'x-request-id',
  'x-rate-limit-limit',
  'x-rate-limit-remaining',
  'x-rate-limit-reset',
  'x-index-status',
  'x-index-progress',
  'x-index-from-block',
  'x-index-to-block',
  'x-index-head-block',
  'x-index-lag-blocks',
  'x-index-head-age',
  'x-index-metadata-progress',
  'x-index-from-version',
  'x-index-to-version',
  'x-index-head-version',
  'x-index-lag-versions',
  'x-index-imported',
  'x-index-failure',
  'x-index-incomplete',
  'x-index-collections',
  'x-index-scope',
  'x-index-owners-to-block',
  'x-as-of-block-hash',
  'x-rarity-documents',
  'content-disposition',
  'content-range',
  'x-accel-buffering',
  'x-export-tokens',
  'x-export-transfers',
  'x-export-version',
  'x-export-end-version',
  'x-snapshot-block',
  'x-snapshot-block-hash',
  'x-snapshot-holders',
  'x-snapshot-root',
  'x-snapshot-facts',
].join(', ')

/** A plain list of header names. */
const names = /^[\w!#$%&'*+.^`|~, -]{1,1000}$/

export function createCors(options: { origins: readonly string[] }): Cors {
  const all = options.origins.includes('*')
  const origins = new Set(options.origins.map((origin) => origin.toLowerCase()))
  const forAll = ['access-control-allow-origin', '*', 'access-control-expose-headers', exposed]

  function headers(origin: string | undefined): readonly string[] {
    if (origin === undefined) return []
    if (all) return forAll
    if (!origins.has(origin.toLowerCase())) return ['vary', 'Origin']
    return ['access-control-allow-origin', origin, 'access-control-expose-headers', exposed, 'vary', 'Origin']
  }

  return {
    headers,
    preflight(origin, methods, requested) {
      const common = headers(origin)
      if (!common.includes('access-control-allow-origin')) return [...common]
      return [
        ...common,
        'access-control-allow-methods',
        methods,
        // Clients of other services send their own headers, which are harmless here.
        'access-control-allow-headers',
        requested !== undefined && names.test(requested) ? requested : 'authorization, x-api-key',
        'access-control-max-age',
        '86400',
        'vary',
        'Access-Control-Request-Headers',
      ]
    },
  }
}
