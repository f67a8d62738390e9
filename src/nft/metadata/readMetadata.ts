import { type Begin, schedule, type UnderWay } from '../../sync/schedule.ts'
import { createPace } from '../../util/threads/createPace.ts'
import { countPendingMetadata } from './metadataSummary.ts'
import type { ReadMetadataOptions } from './readMetadataOptions.ts'
import { readSlice } from './readSlice.ts'
import * as store from './store/metadataStore.ts'
import { nextUnswept, sweepPart } from './store/sweep.ts'

/** Interval at which the gauge of pending tokens is set. */
const countEveryMs = 15_000

/** Reads due metadata of the collections that this process serves, one time slice after another. Ends with the signal. */
export async function readMetadata(options: ReadMetadataOptions): Promise<void> {
  const { leases, db, settings, metrics, waker, signal, log } = options
  const sliceOptions = {
    ...options,
    pace: createPace(options),
  }

  async function sweepOn(): Promise<boolean> {
    const collection = await nextUnswept(db, [...leases.held('partition')])
    if (collection) await db.transaction((tx) => sweepPart(tx, collection, settings.coolOffMs))
    return collection !== undefined
  }

  let countedAt = Number.NEGATIVE_INFINITY
  async function count(): Promise<void> {
    if (performance.now() - countedAt < countEveryMs) return
    countedAt = performance.now()
    for (const [state, tokens] of Object.entries(await countPendingMetadata(db)))
      metrics.metadataDue.set({ state }, tokens)
  }

  async function look(
    underWay: UnderWay<bigint, undefined>,
    begin: Begin<bigint, undefined>,
  ): Promise<'moved' | 'idle'> {
    const swept = await sweepOn()
    const free = settings.concurrentCollections - underWay.size
    if (free > 0) {
      const slices = await store.takeMetadataSlices(db, {
        served: leases.served(),
        except: [...underWay.keys()],
        limit: free,
      })
      for (const slice of slices) begin(slice.id, undefined, () => readSlice(sliceOptions, slice))
    }
    await count()
    return swept ? 'moved' : 'idle'
  }

  await schedule({ name: 'fetch metadata', look, idleMs: 1_000, waker, signal, log })
}
