import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** The tests that find faults by chance, many rounds of each, with new seeds. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    test: {
      provide: { rounds: 20 },
      testTimeout: 3_600_000,
      include: [
        'test/nft/{crash,faults,following}.test.ts',
        'test/stream/{absence,databaseCrash,frozen,matching,matchingCrash,once}.test.ts',
      ],
    },
  }),
)
