import type { Database } from '../../db/database.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import { type Begin, schedule, type UnderWay } from '../../sync/schedule.ts'
import { isInputFault } from '../../util/faults/inputFault.ts'
import type { Log } from '../../util/log.ts'
import { sleep, type Waker } from '../../util/wait.ts'
import type { Origins } from '../metadata/fetchMetadata.ts'
import type { PreviewStore } from './blobs/previewStore.ts'
import { createShares, type Holder } from './createShares.ts'
import type { Previewer } from './draw/preview.ts'
import { fetchMedia, type MediaBusy, mediaHost } from './fetchMedia.ts'
import { keepFile } from './keepFile.ts'
import { mediaAddress } from './mediaAddress.ts'
import { endMediaSlices, type MediaSlice, markMediaSlices, readMediaSlices } from './mediaSlices.ts'
import { type DueMedia, forgetMedia, type MediaResult, noMedia, postponeMedia, settleMedia } from './mediaStore.ts'
import { createPreviewSource, type PreviewSource } from './previewSource.ts'

export type MakePreviewsOptions = {
  leases: Leases
  db: Database
  origins: Origins
  previewer: Previewer
  store: PreviewStore
  settings: {
    /** Sources fetched in parallel. */
    concurrentMedia: number
    retryDelaysMs: readonly number[]
    maxBytes: number
    /** Whether videos are read completely, as a frame is drawn. */
    drawsVideos: boolean
  }
  log: Log
  waker: Waker
  signal: AbortSignal
}

/** Pause of a preview after an unrelated error, in milliseconds. */
const faultPauseMs = 5_000

/** Pause of an image whose content causes an error of this program, in milliseconds, as it will fail again. */
const stumbledMs = 86_400_000

/** Most searches per step for further collections, if the hosts of the found ones have no slot. */
const mostLooks = 8

/**
 * Makes requested previews in this process's partitions. Collections and hosts share the slots for fetching (`createShares`) and time slices of the
 * workers (`createSlices`). Ends with the signal.
 */
export async function makePreviews(options: MakePreviewsOptions): Promise<void> {
  const { leases, db, settings, waker, signal, log } = options
  const previewSource = createPreviewSource(options)
  const places = createShares(settings.concurrentMedia)

  function take(media: DueMedia, begin: Begin<string, DueMedia>): boolean {
    const holders = holdersOf(media)
    if (!places.take(holders)) return false
    const payers = holders.map(({ name }) => name)
    begin(`${media.collectionId} ${media.urlHash}`, media, () =>
      makePreview(options, { media, payers, previewSource }).finally(() => places.give(holders)),
    )
    return true
  }

  async function look(active: UnderWay<string, DueMedia>, begin: Begin<string, DueMedia>): Promise<'idle'> {
    for (let looks = 0; looks < mostLooks && places.free > 0; looks++) if (!(await lookOnce(active, begin))) break
    return 'idle'
  }

  /** Starts previews of the collections that waited longest. True: some may not start now, and further collections may wait after them. */
  async function lookOnce(active: UnderWay<string, DueMedia>, begin: Begin<string, DueMedia>): Promise<boolean> {
    const underWay = [...active.values()]
    // The first collections may have only running previews, so more collections are read than there are free slots.
    const collections = places.free + underWay.length
    const slices = await readMediaSlices(db, {
      partitions: [...leases.held('partition')],
      except: underWay,
      collections,
      limit: places.free,
    })
    // The first preview of each collection starts before the second of any.
    const started = new Set<MediaSlice>()
    const rejected = new Set<MediaSlice>()
    for (let i = 0; i < settings.concurrentMedia; i++)
      for (const slice of slices) {
        if (places.free === 0 || !slice.media[i]) continue
        if (take(slice.media[i]!, begin)) started.add(slice)
        else rejected.add(slice)
      }
    // If further collections may wait, a collection whose host has no slot also ends its slice, so that they move up.
    const wasFull = slices.length === collections
    const passed = wasFull ? new Set([...started, ...rejected]) : started
    if (passed.size > 0) await markMediaSlices(db, [...passed])
    const busy = new Set(underWay.map((media) => media.collectionId))
    const ended = slices.filter((slice) => slice.media.length === 0 && !busy.has(slice.collectionId))
    if (ended.length > 0) await endMediaSlices(db, ended)
    return wasFull && rejected.size > 0
  }

  await schedule({ name: 'previews', look, idleMs: 1_000, waker, signal, log })
}

/** Many collections may have their media at one host, so a host gets more slots than a collection. A single collection cannot take them all. */
function holdersOf(media: DueMedia): Holder[] {
  const host = mediaHost(media.url)
  return [
    { name: `collection ${media.collectionId}`, ofFree: 1 },
    ...(host === undefined ? [] : [{ name: `host ${host}`, ofFree: 2 }]),
  ]
}

/** Never throws: an error is logged and, if possible, stored in the preview's row. */
async function makePreview(
  options: MakePreviewsOptions,
  { media, payers, previewSource }: { media: DueMedia; payers: readonly string[]; previewSource: PreviewSource },
): Promise<void> {
  const { leases, db, store, settings, log, signal } = options
  const workerNow = () => (leases.held('partition').has(BigInt(media.partition)) ? leases.workerId() : undefined)

  async function settle(result: MediaResult | MediaBusy): Promise<void> {
    const worker = workerNow()
    if (worker === undefined) return
    if (result.status === 'busy') await postponeMedia(db, media, result.retryAt, worker)
    else await settleMedia(db, media, result, worker)
  }

  async function forget(): Promise<void> {
    const worker = workerNow()
    if (worker !== undefined) await forgetMedia(db, media, worker)
  }

  try {
    const url = await mediaAddress(db, media)
    if (url === undefined) return await forget()
    const source = await fetchMedia(options, { ...media, url })
    if ('status' in source) return await settle(source)
    const result = await previewSource(source, { payers, signal })
    await settle(media.isFile ? await keepFile(store, source, { result, maxBytes: settings.maxBytes }) : result)
  } catch (err) {
    if (signal.aborted) return
    log.warn({ url: media.url.slice(0, 200), err }, 'preview image failed')
    if (isInputFault(err)) {
      const retryAt = new Date(Date.now() + stumbledMs)
      const settled = settle({ ...noMedia, status: 'temporarily_unavailable', retryAt })
      if (await settled.then(() => true).catch(() => false)) return
    }
    // The disk or the database fails, and the preview stays due. It keeps its slot for a while, else it would restart immediately.
    await sleep(faultPauseMs, signal)
  }
}
