import { createLru } from '../../../util/createLru.ts'
import { shareCalls } from '../../../util/shareCalls.ts'

/** The result of `work`, or a kept one of the same name. */
export type KeptResults = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** Each result is kept for this many times as long as its work took, so that repeated calls occupy at most 5 % of a core. */
const keptTimes = 20

/** Work that takes less is done at each call, so that its results are always current. */
export const leastCostMs = 100

/** Keeps results of costly work for a time in proportion to its cost. Concurrent calls with one name share one work. Errors are not kept. */
export function keepByCost({ most, now = () => performance.now() }: { most: number; now?: () => number }): KeptResults {
  const kept = createLru<string, { value: unknown; until: number }>(most)
  const share = shareCalls<unknown>()

  async function renew(name: string, work: () => Promise<unknown>): Promise<unknown> {
    const before = now()
    const value = await work()
    const ended = now()
    const cost = ended - before
    if (cost >= leastCostMs) kept.set(name, { value, until: ended + keptTimes * cost })
    return value
  }

  return async <T>(name: string, work: () => Promise<T>) => {
    const found = kept.get(name)
    if (found && now() < found.until) return found.value as T
    return share(name, () => renew(name, work)) as Promise<T>
  }
}
