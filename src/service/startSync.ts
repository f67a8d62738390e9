import { availableParallelism } from 'node:os'
import type { Coins } from '../coin/openCoins.ts'
import type { Config } from '../config/config.ts'
import { resolveChains } from '../config/resolveChains.ts'
import type { Database } from '../db/database.ts'
import { createStagingCleaner } from '../db/staging/stagingTables.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { createGuardedClient } from '../net/guard/createGuardedClient.ts'
import { createGateways } from '../net/ipfs/createGateways.ts'
import { followDiscovery } from '../nft/discovery/followDiscovery.ts'
import { holderChannel } from '../nft/holders/buildHolders.ts'
import { keepHolders } from '../nft/holders/keepHolders.ts'
import { createDecodeThreads } from '../nft/index/createDecodeThreads.ts'
import { followCollections } from '../nft/index/followCollections.ts'
import { indexCollections } from '../nft/index/indexCollections.ts'
import type { PreviewStore } from '../nft/media/blobs/previewStore.ts'
import { createSpamFilter } from '../nft/spam/createSpamFilter.ts'
import { demandChannel } from '../nft/store/createDemand.ts'
import { createWantedChains } from '../nft/store/dueChains.ts'
import { knownChannel } from '../nft/store/knownContracts.ts'
import { removeCollections } from '../nft/store/removals.ts'
import { walletDemandChannel } from '../nft/walletHistory/createWalletDemand.ts'
import { followWallets } from '../nft/walletHistory/followWallets.ts'
import { indexWalletHistories } from '../nft/walletHistory/indexWalletHistories.ts'
import { readOnFull, retireUnasked } from '../nft/walletHistory/maintainWallets.ts'
import { readContractNames } from '../nft/walletHistory/readContractNames.ts'
import { createStoreKnown } from '../nft/walletHistory/storeKnown.ts'
import { hasUnsettledFull, walletHistory } from '../nft/walletHistory/walletStore.ts'
import { indexWallets } from '../nft/wallets/indexWallets.ts'
import { walletUpdatesChannel } from '../nft/wallets/walletUpdates.ts'
import { createNeededChains } from '../stream/definition/neededChains.ts'
import { followStreams } from '../stream/follow/followStreams.ts'
import { combineHandlers } from '../sync/combineHandlers.ts'
import { followChains } from '../sync/followChains.ts'
import { createLeases } from '../sync/leases/lease.ts'
import type { OpenChains } from '../sync/openChains.ts'
import { partitionCount } from '../sync/partition.ts'
import { run } from '../sync/run.ts'
import type { Log } from '../util/log.ts'
import { createWaker } from '../util/wait.ts'
import type { WorkPriority } from '../util/workPriority.ts'
import { startMetadata } from './startMetadata.ts'
import { startStreams } from './startStreams.ts'

/** Interval of checking staging tables: a busy history leaves about 10 MB of dead rows a second in them. */
const cleanMs = 1_000

/** Starts everything that reads chains. `undo` stops it in reverse order. */
export async function startSync(options: {
  config: Config
  /** For leases and the head. */
  db: Database
  /** For deferrable work. */
  background: Database
  workPriority: WorkPriority
  openChains: OpenChains
  coins: Coins
  media: PreviewStore
  metrics: Metrics
  log: Log
  undo: (() => Promise<void>)[]
  signal: AbortSignal
}): Promise<void> {
  const { config, db, background, workPriority, openChains: chains, coins, media, metrics, log, undo, signal } = options
  const indexWaker = createWaker()
  const followWaker = createWaker()
  const wakers = {
    ...{ metadata: createWaker(), contracts: createWaker(), media: createWaker() },
    ...{ follow: followWaker, history: createWaker() },
  }
  const walletWaker = createWaker()
  const holderWaker = createWaker()
  const historyWaker = createWaker()
  const nameWaker = createWaker()
  const leases = await createLeases({
    db,
    log,
    keys: {
      partition: Array.from({ length: partitionCount }, (_, i) => BigInt(i)),
      chain: chains.ids,
      aptos: coins.ids,
    },
    onChange() {
      indexWaker.wake()
      followWaker.wake()
      wakers.metadata.wake()
      wakers.contracts.wake()
      wakers.media.wake()
      wakers.history.wake()
      walletWaker.wake()
      holderWaker.wake()
      historyWaker.wake()
    },
  })
  undo.push(leases.close)
  coins.read(leases)
  // `undo` runs backwards: coins stop before the leases are released, so that nothing is read that could not be stored.
  undo.push(coins.close)
  undo.push(
    await db.listen(demandChannel, (subject) => {
      indexWaker.wake(chainOf(subject))
      followWaker.wake(chainOf(subject))
    }),
  )
  undo.push(await db.listen(knownChannel, () => nameWaker.wake()))
  undo.push(await db.listen(walletDemandChannel, (subject) => historyWaker.wake(chainOf(subject))))
  undo.push(await db.listen(walletUpdatesChannel, () => walletWaker.wake()))
  undo.push(await db.listen(holderChannel, () => holderWaker.wake()))
  const common = { chains, leases, metrics, log, signal }
  const later = { ...common, db: background, workPriority }
  const http = createGuardedClient({ settings: config.outbound, metrics, log })
  undo.push(http.close)
  const { ipfsGateways: ipfs, arweaveGateways: arweave } = config.outbound
  const gateways = createGateways({ client: http, ipfs, arweave, metrics, log })
  const wantedChains = createWantedChains(db)
  const wantedByStreams = createNeededChains(db)
  const wantedByWallets = createWantedChains(db, walletHistory, (chain) => hasUnsettledFull(db, chain))
  const discovering = new Set(resolveChains(config).flatMap(({ id, discover }) => (discover ? [id] : [])))
  const storeKnown = createStoreKnown({ db: background, log })
  const spamFilter = createSpamFilter(db)
  const decoding = createDecodeThreads({
    threads: config.sync.decodeThreads ?? Math.max(1, availableParallelism() - 1),
  })
  undo.push(decoding.close)
  const loops = [
    ...(await startStreams({ ...later, settings: config.webhooks, wakers, undo })),
    ...(await startMetadata({ ...later, config, http, gateways, store: media, wakers, undo })),
    indexCollections({
      ...later,
      settings: { ...config.sync, coolOffMs: config.metadata.coolOffMs },
      decoding,
      waker: indexWaker,
      onComplete: followWaker.wake,
    }),
    indexWalletHistories({
      ...later,
      settings: { ...config.sync, ...config.wallets },
      onMoves: storeKnown,
      async runMaintenance() {
        await retireUnasked(db, leases, config.wallets.keepDays)
        await readOnFull(db, leases, config.wallets.maxTransfers)
      },
      waker: historyWaker,
      onBegin: followWaker.wake,
      onComplete: followWaker.wake,
    }),
    readContractNames({ ...common, db: background, waker: nameWaker }),
    keepHolders({ ...later, waker: holderWaker }),
    indexWallets({ ...later, forHead: db, waker: walletWaker }),
    removeCollections(later),
    run({
      name: 'clean staging tables',
      step: createStagingCleaner({ db: background, log }),
      idleMs: cleanMs,
      signal,
      log,
    }),
    followChains({
      ...common,
      db,
      onLate: () => workPriority.late('head'),
      async wanted(own, woken) {
        const ofStreams = await wantedByStreams(own)
        const ofNfts = await Promise.all([wantedChains(own, woken), wantedByWallets(own, woken)])
        return [...ofNfts.flat(), ...ofStreams, ...own.filter((id) => discovering.has(id))]
      },
      createHandler: async (open, onRead) =>
        combineHandlers([
          await followCollections({
            ...open,
            db,
            metadataCoolOffMs: config.metadata.coolOffMs,
            maxTokens: config.sync.maxTokens,
            metrics,
            log,
            onRead,
          }),
          await followWallets({
            ...open,
            db,
            maxTransfers: config.wallets.maxTransfers,
            onMoves: (moves) => void storeKnown(open, moves),
            metrics,
            log,
            onRead,
          }),
          followDiscovery({ chain: open.chain, db, keepDays: config.discover.keepDays, metrics }),
          await followStreams({ ...open, db, spamFilter, maxBytes: config.webhooks.maxBytes, log, onRead }),
        ]),
      waker: followWaker,
    }),
  ]
  let handedOver: Promise<void> | undefined
  async function handOver(): Promise<void> {
    await Promise.all([...loops, coins.close()])
    await leases.close()
  }
  function close(): Promise<void> {
    handedOver ??= handOver()
    return handedOver
  }
  undo.push(close)
  // As soon as no reading is allowed, also while requests are still answered. The close that awaits it reports a failure.
  signal.addEventListener('abort', () => void close().catch(() => undefined), { once: true })
}

/** The chain of a contract or wallet in a notification; undefined: it names none. */
function chainOf(subject: string): bigint | undefined {
  const [, chain] = /^(\d+):/.exec(subject) ?? []
  return chain === undefined ? undefined : BigInt(chain)
}
