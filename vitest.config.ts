import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    provide: { rounds: 1 },
    globalSetup: ['test/globalSetup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    passWithNoTests: true,
    reporters: ['default', ['json', { outputFile: 'node_modules/.cache/vitest.json' }]],
  },
})
