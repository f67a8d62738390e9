import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    provide: { rounds: 1 },
    // What tests import, and the programs that they start, are compiled once for all runs.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)) },
    globalSetup: ['test/globalSetup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Files of a worker share what they import: half a second of work for each of two hundred.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Conditions are waited for as long as a busy machine may need: only what never comes fails.
    expect: { poll: { timeout: 20_000 } },
    passWithNoTests: true,
    reporters: ['default', ['json', { outputFile: 'node_modules/.cache/vitest.json' }]],
  },
})
