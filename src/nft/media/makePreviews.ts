import type { Database } from '../../db/database.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import { type Begin, schedule, type UnderWay } from '../../sync/schedule.ts'
import { isInputFault } from '../../util/faults/inputFault.ts'
import type { Log } from '../../util/log.ts'
import { createWaker, type Waker } from '../../util/wait.ts'
import type { Origins } from '../metadata/fetchDocument.ts'
import type { PreviewStore } from './blobs/previewStore.ts'
import { createShares, type Holder } from './createShares.ts'
import type { Previewer } from './draw/preview.ts'
import { fetchMedia, type MediaBusy, mediaHost } from './fetchMedia.ts'
import { keepFile } from './keepFile.ts'
import { mediaAddress } from './mediaAddress.ts'
import { type DueMedia, forgetMedia, type MediaResult, noMedia, postponeMedia, settleMedia } from './mediaStore.ts'
import { endMediaTurns, type MediaTurn, markMediaTurns, readMediaTurns } from './mediaTurns.ts'
import { createPreviewSource, type PreviewSource } from './previewSource.ts'

export type MakePreviewsOptions = {
  leases: Leases
  db: Database
  origins: Origins
  previewer: Previewer
  store: PreviewStore
  settings: {
    /** Sources fetched at once. */
    concurrentMedia: number
    retryDelaysMs: readonly number[]
    maxBytes: number
    /** Whether films are read whole, as a frame of them is drawn. */
    drawsFilms: boolean
  }
  log: Log
  waker: Waker
  signal: AbortSignal
}

/** Pause of a preview after an error that is none of its own, in milliseconds. */
const faultPauseMs = 5_000

/** Pause of an image over whose content this program throws, in milliseconds: it will throw again. */
const stumbledMs = 86_400_000

/** How often one step looks for further collections where the hosts of those that it found have no place. */
const mostLooks = 8

/**
 * Makes the previews that were requested in this process' partitions. Collections and hosts share the places for fetching (`createShares`)
 * and take turns at the workers, whose time is charged to them (`createTurns`). Ends with the signal.
 */
export async function makePreviews(options: MakePreviewsOptions): Promise<void> {
  const { leases, db, settings, waker, signal, log } = options
  const previewSource = createPreviewSource(options)
  const places = createShares(settings.concurrentMedia)

  function take(due: DueMedia, begin: Begin<string, DueMedia>): boolean {
    const holders = holdersOf(due)
    if (!places.take(holders)) return false
    const payers = holders.map(({ name }) => name)
    begin(`${due.collectionId} ${due.urlHash}`, due, () =>
      makePreview(options, { due, payers, previewSource }).finally(() => places.give(holders)),
    )
    return true
  }

  async function look(active: UnderWay<string, DueMedia>, begin: Begin<string, DueMedia>): Promise<'idle'> {
    for (let looks = 0; looks < mostLooks && places.free > 0; looks++) if (!(await lookOnce(active, begin))) break
    return 'idle'
  }

  /** Begins previews of the collections that waited longest. True: some may not begin now, and further collections may wait behind them. */
  async function lookOnce(active: UnderWay<string, DueMedia>, begin: Begin<string, DueMedia>): Promise<boolean> {
    const underWay = [...active.values()]
    // The first collections may have only previews that are in progress, so more collections are read than places are free.
    const collections = places.free + underWay.length
    const turns = await readMediaTurns(db, {
      partitions: [...leases.held('partition')],
      except: underWay,
      collections,
      limit: places.free,
    })
    // The first preview of each collection begins before the second one of any.
    const begun = new Set<MediaTurn>()
    const refused = new Set<MediaTurn>()
    for (let i = 0; i < settings.concurrentMedia; i++)
      for (const turn of turns) {
        if (places.free === 0 || !turn.due[i]) continue
        if (take(turn.due[i]!, begin)) begun.add(turn)
        else refused.add(turn)
      }
    // If further collections may wait, one whose host has no place had its turn too, so that they come forward.
    const wasFull = turns.length === collections
    const passed = wasFull ? new Set([...begun, ...refused]) : begun
    if (passed.size > 0) await markMediaTurns(db, [...passed])
    const busy = new Set(underWay.map((due) => due.collectionId))
    const ended = turns.filter((turn) => turn.due.length === 0 && !busy.has(turn.collectionId))
    if (ended.length > 0) await endMediaTurns(db, ended)
    return wasFull && refused.size > 0
  }

  await schedule({ name: 'previews', look, idleMs: 1_000, waker, signal, log })
}

/** Many collections may have their media at one host, so a host gets more places than a collection: one collection alone cannot take them all. */
function holdersOf(due: DueMedia): Holder[] {
  const host = mediaHost(due.url)
  return [
    { name: `collection ${due.collectionId}`, ofFree: 1 },
    ...(host === undefined ? [] : [{ name: `host ${host}`, ofFree: 2 }]),
  ]
}

/** Never throws: an error is logged and, where possible, stored in the preview's row. */
async function makePreview(
  options: MakePreviewsOptions,
  { due, payers, previewSource }: { due: DueMedia; payers: readonly string[]; previewSource: PreviewSource },
): Promise<void> {
  const { leases, db, store, settings, log, signal } = options
  const workerNow = () => (leases.held('partition').has(BigInt(due.partition)) ? leases.workerId() : undefined)

  async function settle(result: MediaResult | MediaBusy): Promise<void> {
    const worker = workerNow()
    if (worker === undefined) return
    if (result.status === 'busy') await postponeMedia(db, due, result.retryAt, worker)
    else await settleMedia(db, due, result, worker)
  }

  async function forget(): Promise<void> {
    const worker = workerNow()
    if (worker !== undefined) await forgetMedia(db, due, worker)
  }

  try {
    const url = await mediaAddress(db, due)
    if (url === undefined) return await forget()
    const source = await fetchMedia(options, { ...due, url })
    if ('status' in source) return await settle(source)
    const result = await previewSource(source, { payers, signal })
    await settle(due.isFile ? await keepFile(store, source, { result, maxBytes: settings.maxBytes }) : result)
  } catch (err) {
    if (signal.aborted) return
    log.warn({ url: due.url.slice(0, 200), err }, 'preview image failed')
    if (isInputFault(err)) {
      const retryAt = new Date(Date.now() + stumbledMs)
      const settled = settle({ ...noMedia, status: 'temporarily_unavailable', retryAt })
      if (await settled.then(() => true).catch(() => false)) return
    }
    // The disk or the database fails, and the preview stays due. It keeps its place for a while, else it would begin again at once.
    await createWaker().wait(faultPauseMs, signal)
  }
}
