import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { patienceMs } from './test/patience.ts'
import { TestOrder } from './test/testOrder.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts'],
    tags: [
      {
        name: 'system',
        description: 'takes several seconds or many processes; run by `npm run test:system`, not by `npm test`',
      },
      { name: 'citus', description: 'starts a Citus cluster of its own; run by `npm run test:citus` alone' },
    ],
    provide: { rounds: 1 },
    // What tests import, and the programs that they start, are compiled once for all runs.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)) },
    globalSetup: ['test/globalSetup.ts'],
    // What a test receives from Mintmark is as openapi.json says, or the test fails.
    // And on a cluster, what names a partition runs on one shard.
    setupFiles: ['test/holdAnswers.ts', 'test/citus/holdShards.ts'],
    pool: 'forks',
    // Twice the fewest cores that are meant: a test waits for chains, databases and pauses for a third of its time.
    maxWorkers: 4,
    // Files of a worker share what they import: half a second of work for each of two hundred.
    isolate: false,
    // The programs run as they are released: by Node itself, which takes half the time of a compiler.
    experimental: { viteModuleRunner: false },
    sequence: { sequencer: TestOrder },
    // Limits of time tell hangs, never how fast a machine is: only what never comes fails. No test has one of its own.
    testTimeout: 3 * patienceMs,
    hookTimeout: 3 * patienceMs,
    expect: { poll: { timeout: patienceMs } },
    passWithNoTests: true,
    reporters: ['default', ['json', { outputFile: 'node_modules/.cache/vitest.json' }]],
  },
})
