import { defineConfig } from 'vite'

/** `npm run console` serves the sources at once and passes requests of the API on to a server that runs at port 8080. */
const api = [
  '/admin',
  '/api',
  '/aptos',
  '/coins',
  '/key',
  '/stats',
  '/streams',
  '/history',
  '/settings',
  '/media',
  '/docs',
  '/openapi.json',
  '/health',
  '/ready',
]

export default defineConfig({
  root: import.meta.dirname,
  // The page itself is at `/` too, so paths of files start at the root.
  base: '/console/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    // The first browsers with `light-dark()`, which is kept as it is.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    // Files of their own: the policy allows no data: address.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: { proxy: Object.fromEntries(api.map((path) => [path, 'http://127.0.0.1:8080'])) },
})
