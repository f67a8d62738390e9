import { mergeConfig } from 'vitest/config'
import { clusterMissing } from './test/citus/cluster.ts'
import base from './vitest.config.ts'

/** What merges, takes back, counts, leases and saves rows, on a Citus cluster. */
const selection = [
  'test/citus/*.test.ts',
  'src/db/cancelWith.test.ts',
  'src/db/database.test.ts',
  'src/db/databaseError.test.ts',
  'src/api/alchemy/{alchemyRoutes,answerShapes,knownContracts,ownedNfts}.test.ts',
  'src/api/routes/admin/adminSearch.test.ts',
  'src/api/routes/nft/nftSnapshot.test.ts',
  'src/nft/index/readHistory.test.ts',
  'src/nft/store/storeTransfers.test.ts',
  'src/nft/store/undoInParts.test.ts',
  'src/nft/wallets/*.test.ts',
  'src/nft/walletHistory/*.test.ts',
  'src/nft/media/mediaStore.test.ts',
  'src/nft/metadata/store/{contractStore,settleMetadata,sweep}.test.ts',
  'src/nft/discovery/*.test.ts',
  'src/nft/pages/**/*Combinations.test.ts',
  'src/nft/asOf/*.test.ts',
  'src/nft/pages/createNftQuery.test.ts',
  'src/nft/pages/origins/*.test.ts',
  'src/nft/pages/transfers/{createTransferQuery,filteredTransfers}.test.ts',
  'src/nft/pages/{listedRecords,ownersAsOf}.test.ts',
  'src/nft/pages/traits/traitCounts.test.ts',
  'src/nft/pages/traits/walkTraits.test.ts',
  'src/nft/pages/wallets/{unindexedContracts,untimedMoves,walletTokens}.test.ts',
  'src/nft/pages/wholeWalletPages.test.ts',
  'src/api/routes/nft/walletCoverage.test.ts',
  'src/api/routes/nft/walletNfts.test.ts',
  'src/api/routes/nft/walletTransfers.test.ts',
  'src/api/routes/nft/nftStats.test.ts',
  'src/api/routes/streams/deliveries.test.ts',
  'src/api/routes/streams/history.test.ts',
  'src/api/routes/streams/streams.test.ts',
  'src/api/routes/streams/streamSecrets.test.ts',
  'src/stream/ledger/**/*.test.ts',
  'src/stream/definition/*.test.ts',
  'src/stream/follow/createRowWriter.test.ts',
  'src/sync/follow.test.ts',
  'src/sync/followInParts.test.ts',
  'src/sync/undoInParts.test.ts',
  'src/sync/leases/*.test.ts',
  'src/db/backup/restoreBackup.test.ts',
  'test/nft/evictedPreviews.test.ts',
  'test/nft/largeWallets.test.ts',
  'test/nft/metadata.test.ts',
  'test/nft/walletIndex.test.ts',
  'test/nft/wholeWallets.test.ts',
  'test/nft/wholeWalletFaults.test.ts',
  'test/nft/killedWholeWallets.test.ts',
  'test/nft/wallets.test.ts',
  'test/stream/internal.test.ts',
  'test/stream/isolation.test.ts',
  'test/stream/probe.test.ts',
  'test/verify/erc721.test.ts',
]

// biome-ignore lint/style/noProcessEnv: as test/globalSetup.ts reads it
const missing = process.env.MINTMARK_TEST_DATABASE_URL === undefined ? clusterMissing : undefined

// `.ci/run` looks for these words, so that nobody takes a run without tests for one on a cluster.
if (missing) process.stdout.write(`tests on Citus: ${missing}\n`)

export default mergeConfig(
  { ...base, test: { ...base.test, include: [], globalSetup: [] } },
  {
    test: {
      include: missing ? [] : selection,
      globalSetup: missing ? [] : ['test/citus/setup.ts', 'test/globalSetup.ts'],
    },
  },
)
