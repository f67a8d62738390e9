import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { patienceMs } from './test/patience.ts'

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
    // Limits of time tell hangs, never how fast a machine is: only what never comes fails. No test has one of its own.
    testTimeout: 5 * patienceMs,
    hookTimeout: 5 * patienceMs,
    expect: { poll: { timeout: patienceMs } },
    passWithNoTests: true,
    reporters: ['default', ['json', { outputFile: 'node_modules/.cache/vitest.json' }]],
  },
})
