import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../util/log.ts'
import { type ChainReset, resetChain } from '../resetChain.ts'

export type ResetsOptions = {
  db: Database
  log: Log
  /** How long a client waits, in milliseconds; the reset continues afterwards. */
  waitMs?: number | undefined
}

type Resets = {
  /** Resets a chain, or waits for its current reset. null: it is still in progress; undefined: nothing is stored of the chain. */
  reset(chainId: bigint): Promise<ChainReset | null | undefined>
}

export function createResets({ db, log, waitMs = 4_000 }: ResetsOptions): Resets {
  const running = new Map<bigint, Promise<ChainReset | undefined>>()

  function begin(chainId: bigint): Promise<ChainReset | undefined> {
    const work = resetChain(db, chainId).finally(() => running.delete(chainId))
    running.set(chainId, work)
    work.then(
      (reset) => reset && log.info({ chain: chainId, ...reset }, 'chain reset'),
      // Logged here, as the caller may have stopped waiting. A failed reset has changed nothing.
      (err: unknown) => log.error({ chain: chainId, err }, 'chain reset failed'),
    )
    return work
  }

  return {
    async reset(chainId) {
      const waiting = new AbortController()
      const { signal } = waiting
      try {
        return await Promise.race([running.get(chainId) ?? begin(chainId), sleep(waitMs, null, { signal })])
      } finally {
        waiting.abort()
      }
    },
  }
}
