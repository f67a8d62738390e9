import type { Config } from '../config/config.ts'
import { resolveChains } from '../config/resolveChains.ts'
import type { Database } from '../db/database.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { GuardedClient } from '../net/client.ts'
import type { PreviewStore } from '../nft/media/blobs/previewStore.ts'
import { createPreviewer } from '../nft/media/createPreviewer.ts'
import { makePreviews } from '../nft/media/makePreviews.ts'
import { mediaDemandChannel } from '../nft/media/mediaStore.ts'
import type { Origins } from '../nft/metadata/fetchMetadata.ts'
import { readContracts } from '../nft/metadata/readContracts.ts'
import { readMetadata } from '../nft/metadata/readMetadata.ts'
import { contractDemandChannel } from '../nft/metadata/store/contractStore.ts'
import { metadataDemandChannel } from '../nft/metadata/store/createMetadataDemand.ts'
import { rankCollections } from '../nft/rarity/rankCollections.ts'
import { assessCollections } from '../nft/spam/assessCollections.ts'
import { createLists } from '../nft/spam/createLists.ts'
import type { Leases } from '../sync/leases/lease.ts'
import type { OpenChains } from '../sync/openChains.ts'
import type { Log } from '../util/log.ts'
import { createRequestLoad } from '../util/requestLoad.ts'
import { leastRate, wholeRate } from '../util/threads/createPace.ts'
import type { Waker } from '../util/wait.ts'
import type { WorkPriority } from '../util/workPriority.ts'

/** Starts the loops that read metadata, create previews, rank tokens and judge collections, and returns them. They end with the signal. */
export async function startMetadata(options: {
  config: Config
  db: Database
  workPriority: WorkPriority
  chains: OpenChains
  leases: Leases
  http: GuardedClient
  gateways: Origins['gateways']
  store: PreviewStore
  wakers: { metadata: Waker; contracts: Waker; media: Waker }
  metrics: Metrics
  log: Log
  undo: (() => Promise<void>)[]
  signal: AbortSignal
}): Promise<Promise<void>[]> {
  const { config, db, workPriority, chains, leases, http, gateways, store, wakers, metrics, log, undo, signal } =
    options
  const origins = { http, gateways }
  const previewer = createPreviewer({ settings: config.media, log, metrics })
  undo.push(previewer.close)
  undo.push(await db.listen(metadataDemandChannel, () => wakers.metadata.wake()))
  undo.push(await db.listen(contractDemandChannel, () => wakers.contracts.wake()))
  undo.push(await db.listen(mediaDemandChannel, () => wakers.media.wake()))
  const load = createRequestLoad()
  undo.push(async () => load.close())
  const isBusy = () => workPriority.isYielding() || load.high()
  const busyRate = () => (load.high() ? leastRate : workPriority.size(wholeRate, leastRate))
  const onWaited = (ms: number) => metrics.backgroundWaited.inc({ work: 'documents' }, ms / 1_000)
  const common = { db, leases, origins, metrics, log, signal }
  const lists = createLists({ sources: config.lists, chains: resolveChains(config), http, log })
  return [
    readMetadata({ ...common, chains, settings: config.metadata, isBusy, busyRate, onWaited, waker: wakers.metadata }),
    readContracts({ ...common, chains, settings: config.metadata, waker: wakers.contracts }),
    makePreviews({
      ...common,
      previewer,
      store,
      settings: {
        ...config.metadata,
        ...{ maxBytes: config.media.maxBytes, drawsVideos: config.media.ffmpeg !== null },
      },
      waker: wakers.media,
    }),
    rankCollections({ leases, db, workPriority, log, signal }),
    assessCollections({ leases, db, lists, settings: config.lists, log, signal }),
  ]
}
