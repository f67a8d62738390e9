import { describeError } from '../../util/errors.ts'
import { larger } from '../../util/extremes.ts'
import { shownReason } from '../../util/faults/shownReason.ts'
import type { Log } from '../../util/log.ts'
import { AptosError, AptosIdentityError, AptosSourcesError, AptosUnresponsiveError } from './aptosError.ts'
import { createAptosHeadWatch } from './createAptosHeadWatch.ts'
import type { AptosSource } from './source.ts'
import { createStandby, type NamedSource, type Standby } from './standby.ts'

export type FailoverOptions = {
  /** In order of preference. */
  sources: readonly NamedSource[]
  /** Id of the chain that the sources must serve; undefined: not known yet. */
  chainId: () => number | undefined
  /** First pause of a source that failed, in milliseconds. Each further failure doubles it, up to 20 times this. */
  pauseMs: number
  onFault: (error: AptosError) => void
  log: Log
}

/** Consecutive errors after which another source is used: streams break now and then. */
const maxFaults = 3

/**
 * Several sources of one chain as one. Transactions come from the first source. The next one is used while the first fails, or has no more while the
 * next one has. Sources that report the head at once are queried for it first, and now and then while another one is read. A source of another chain
 * is paused like one that fails.
 */
export function createFailoverSource(options: FailoverOptions): AptosSource {
  const { chainId, onFault, log } = options
  const standbys = options.sources.map((named) => createStandby(named, options.pauseMs))

  /** Pauses the source, and reports the reason to metrics and log. */
  function giveUp(standby: Standby, error: AptosError): void {
    onFault(error)
    log.warn({ source: standby.name, reason: describeError(error), pauseMs: standby.pause() }, 'aptos source suspended')
  }

  /** The sources as configured, but the paused ones last. */
  const inOrder = () => standbys.toSorted((a, b) => Number(a.isBackingOff()) - Number(b.isBackingOff()))

  async function answers(standby: Standby, version: bigint, signal: AbortSignal): Promise<boolean> {
    try {
      return await standby.source.has(version, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof AptosError)) throw error
      log.debug({ source: standby.name, err: error }, 'aptos source retry failed')
      return false
    }
  }

  /** Whether a source that is configured before `current` can be read again: it has the version before `next` too. */
  async function isRelieved(current: Standby, next: bigint, signal: AbortSignal): Promise<boolean> {
    for (const other of standbys) {
      if (other === current) break
      if (other.isBackingOff() || next === 0n) continue
      if (await answers(other, next - 1n, signal)) return true
      other.pause()
    }
    return false
  }

  /** Whether a source that is configured after `current` has version `next`, which `current` does not return. */
  async function isSurpassed(current: Standby, next: bigint, signal: AbortSignal): Promise<boolean> {
    for (const other of standbys.slice(standbys.indexOf(current) + 1)) {
      if (other.isBackingOff() || !(await answers(other, next, signal))) continue
      giveUp(
        current,
        new AptosUnresponsiveError(`${current.name} returns nothing, while ${other.name} has version ${next}`),
      )
      return true
    }
    return false
  }

  /** Sources besides `current` that report the head at once. */
  const reporters = (current: Standby) =>
    standbys.filter((other) => other !== current && !other.isBackingOff() && !other.source.probesHead)

  return {
    rangeWidth: standbys[0]!.source.rangeWidth,
    probesHead: standbys.every(({ source }) => source.probesHead),

    async ledger(signal) {
      const byCost = inOrder().toSorted((a, b) => Number(a.source.probesHead) - Number(b.source.probesHead))
      if (chainId() === undefined)
        return agree(byCost, await Promise.allSettled(byCost.map((s) => s.source.ledger(signal))))
      const faults: Fault[] = []
      for (const { name, source } of byCost)
        try {
          return await source.ledger(signal)
        } catch (error) {
          signal.throwIfAborted()
          faults.push({ name, error })
        }
      throw failure(faults)
    },

    async has(version, signal) {
      for (const standby of inOrder()) if (await answers(standby, version, signal)) return true
      return false
    },

    async *read({ from, to }, signal) {
      let next = from
      let faults: Fault[] = []
      const watch = createAptosHeadWatch({ everyMs: options.pauseMs })
      for (;;) {
        const current = inOrder().find(({ name }) => !faults.some((fault) => fault.name === name))
        if (!current) throw failure(faults)
        try {
          for await (const batch of current.source.read({ from: next, ...(to !== undefined && { to }) }, signal)) {
            const isEmpty = batch.to < batch.from
            if (!isEmpty && current.didWell()) log.info({ source: current.name }, 'aptos source recovered')
            faults = []
            next = batch.to + 1n
            // An empty batch confirms the head; it is not passed on where another source has more.
            if (isEmpty && (await isSurpassed(current, next, signal))) break
            if (to === undefined) watch.request(reporters(current), signal)
            yield { ...batch, head: larger(batch.head, watch.reported()) }
            if (to !== undefined && next > to) return
            const reported = watch.take()
            if (reported !== undefined)
              yield { ...batch, from: next, head: larger(batch.to, reported), transactions: [] }
            if (await isRelieved(current, next, signal)) break
          }
        } catch (error) {
          signal.throwIfAborted()
          if (!(error instanceof AptosError)) throw error
          const passing = error.retryable && !(error instanceof AptosUnresponsiveError)
          if (passing && current.fault() < maxFaults) {
            onFault(error)
            continue
          }
          faults.push({ name: current.name, error })
          giveUp(current, error)
        }
      }
    },

    async close() {
      await Promise.all(standbys.map(({ source }) => source.close()))
    },
  }
}

type Fault = { name: string; error: unknown }

/** The error to throw, with the reason of each source. An error that is not an AptosError is thrown as it is. */
function failure(faults: readonly Fault[]): unknown {
  const strange = faults.find(({ error }) => !(error instanceof AptosError))
  if (strange) return strange.error
  const text = faults.map(({ name, error }) => `${name}: ${shownReason(error)}`).join('; ')
  const retryable = faults.some(({ error }) => (error as AptosError).retryable)
  return new AptosSourcesError(text, { retryable, cause: undefined })
}

/** The ledger with the highest head. Throws AptosIdentityError if the sources serve two chains: neither is known to be the right one. */
function agree<T extends { chainId: number; head: bigint }>(
  sources: readonly { name: string }[],
  answers: readonly PromiseSettledResult<T>[],
): T {
  const reported = answers.flatMap((answer, i) =>
    answer.status === 'fulfilled' ? [{ ...sources[i]!, ledger: answer.value }] : [],
  )
  if (reported.length === 0)
    throw failure(
      answers.map((answer, i) => ({ name: sources[i]!.name, error: (answer as PromiseRejectedResult).reason })),
    )
  if (new Set(reported.map(({ ledger }) => ledger.chainId)).size > 1) {
    const chains = reported.map(({ name, ledger }) => `${name} serves chain ${ledger.chainId}`).join(' and ')
    throw new AptosIdentityError(`${chains}: correct the address of one, or set chainId`)
  }
  return reported.map(({ ledger }) => ledger).reduce((a, b) => (b.head > a.head ? b : a))
}
