import { defineConfig } from 'vite'

/** `npm run console` serves the sources and proxies API requests to a server on port 8080. */
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
  // The page is also served at `/`, so file paths are absolute.
  base: '/console/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    // The first browsers with `light-dark()`, which then needs no transform.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    // No inlining: the content security policy forbids data: URLs.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: { proxy: Object.fromEntries(api.map((path) => [path, 'http://127.0.0.1:8080'])) },
})
