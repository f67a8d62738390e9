import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import { type ChainReset, resetChain } from '../resetChain.ts'

export type ResetsOptions = {
  db: Database
  log: Log
  /** A client waits no longer; the transaction goes on. */
  waitMs?: number | undefined
}

type Resets = {
  /** What it came to; null: it is under way. undefined: nothing is stored of the chain. One reset serves all who ask meanwhile. */
  reset(chainId: bigint): Promise<ChainReset | null | undefined>
}

export function createResets({ db, log, waitMs = 4_000 }: ResetsOptions): Resets {
  const running = new Map<bigint, Promise<ChainReset | undefined>>()

  function begin(chainId: bigint): Promise<ChainReset | undefined> {
    const work = resetChain(db, chainId).finally(() => running.delete(chainId))
    running.set(chainId, work)
    work.then(
      (reset) => reset && log.info({ chain: chainId, ...reset }, 'chain reset'),
      // Also where the caller waits for it no more. Nothing was changed then.
      (err: unknown) => log.error({ chain: chainId, err }, 'chain not reset'),
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
