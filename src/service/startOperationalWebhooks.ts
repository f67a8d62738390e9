import type { Config } from '../config/config.ts'
import { resolveChains } from '../config/resolveChains.ts'
import type { Database } from '../db/database.ts'
import type { GuardedClient } from '../net/client.ts'
import { noteStalls } from '../stream/operational/noteStalls.ts'
import { sendOperationalWebhooks } from '../stream/operational/sendOperationalWebhooks.ts'
import { run } from '../sync/run.ts'
import { quantity } from '../util/hex.ts'
import type { Log } from '../util/log.ts'
import { faultOf, readChainOverview } from './chainOverview.ts'

/** Interval of the check for stalled chains. */
const lookMs = 10_000

/**
 * Starts the operational webhooks to `webhooks.operationsUrl`, if set: about streams that stop or resume and chains that stall. The guarded client
 * for webhook receivers sends them.
 */
export function startOperationalWebhooks(options: {
  config: Config
  db: Database
  client: Pick<GuardedClient, 'post'>
  log: Log
  undo: (() => Promise<void>)[]
}): void {
  const { config, db, log, undo, ...rest } = options
  const url = config.webhooks.operationsUrl
  if (url === null) return
  const stopping = new AbortController()
  const { signal } = stopping
  const chains = resolveChains(config)
  const configured = chains.filter((chain) => chain.configured).map((chain) => chain.id)
  const names = new Map(chains.map((chain) => [chain.id, chain.name]))

  async function look(): Promise<'idle'> {
    const watched = (await readChainOverview(db, configured)).map((chain) => ({
      id: chain.id,
      name: names.get(chain.id) ?? quantity(chain.id),
      // No operational webhook is written about a chain that an operator paused.
      fault: chain.wanted && chain.pausedAt === null ? faultOf(chain) : null,
    }))
    await noteStalls(db, watched, new Date())
    return 'idle'
  }

  const { done } = sendOperationalWebhooks({ db, url, settings: config.webhooks, log, signal, ...rest })
  const looking = run({ name: 'stalled chains', step: look, idleMs: lookMs, signal, log })
  undo.push(async () => {
    stopping.abort()
    await Promise.all([done, looking])
  })
}
