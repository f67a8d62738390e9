import type { EvmChain } from '../chain/evm/chains.ts'
import type { OpenChains } from '../sync/openChains.ts'
import type { Log } from '../util/log.ts'
import { sleep } from '../util/wait.ts'

/**
 * Opens each configured chain until it has answered once. Returns the names of the chains that have not answered yet. A built-in chain is opened on
 * first use.
 */
export function answerOnce(
  chains: OpenChains,
  all: readonly EvmChain[],
  log: Log,
  undo: (() => Promise<void>)[],
): Set<string> {
  const stop = new AbortController()
  const configured = all.filter((chain) => chain.configured)
  const unanswered = new Set(configured.map((chain) => chain.name))
  async function request(chain: EvmChain): Promise<void> {
    let failures = 0
    for (let pause = 250; !stop.signal.aborted; pause = Math.min(10_000, pause * 2)) {
      try {
        await chains.open(chain.id, stop.signal)
        unanswered.delete(chain.name)
        if (failures > 0) log.info({ chain: chain.name, failures }, 'chain reachable')
        return
      } catch (error) {
        failures += 1
        if (!stop.signal.aborted) log.warn({ chain: chain.name, err: error }, 'chain unreachable')
        await sleep(pause, stop.signal)
      }
    }
  }
  const requesting = configured.map(request)
  undo.push(async () => {
    stop.abort()
    await Promise.all(requesting)
  })
  return unanswered
}

/** Wraps `request`, which returns the names of everything not ready: each change is logged. */
export function reportReadiness(log: Log, request: () => Promise<string[]>): () => Promise<string[]> {
  let before: string | undefined
  return async () => {
    const waitingFor = await request()
    const now = waitingFor.join(', ')
    if (now !== (before ?? '')) {
      if (now === '') log.info({}, 'ready')
      else log.warn({ waitingFor }, 'not ready')
    }
    before = now
    return waitingFor
  }
}
