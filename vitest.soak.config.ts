import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** The tests that find faults by chance or after a long while: many rounds of each, with new seeds. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    test: {
      provide: { rounds: 20 },
      testTimeout: 3_600_000,
      include: [
        'test/aptos/crash.test.ts',
        'test/console/leftOpen.test.ts',
        'test/simulation.test.ts',
        'test/nft/{crash,faults,following,killedWallets,metadata}.test.ts',
        'src/api/routes/nft/strangeHistories.test.ts',
        'src/nft/asOf/stateAt.test.ts',
        'src/nft/pages/{transfers/createTransferQuery,documentFuzz}.test.ts',
        'src/nft/store/{storeTransfers,undoInParts}.test.ts',
        'src/nft/walletHistory/joinParts.test.ts',
        'src/nft/wallets/buildWallets.test.ts',
        'src/sync/{follow,followInParts,undoInParts}.test.ts',
        'test/stream/{absence,anyOrder,crash,databaseCrash,frozen,matching,matchingCrash,once}.test.ts',
      ],
    },
  }),
)
