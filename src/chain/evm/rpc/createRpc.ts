import { setTimeout as sleep } from 'node:timers/promises'
import type { Metrics } from '../../../metrics/metrics.ts'
import { type ByteBudget, createByteBudget } from '../../../util/byteBudget.ts'
import { chunksOf } from '../../../util/chunksOf.ts'
import { smallest } from '../../../util/extremes.ts'
import type { Log } from '../../../util/log.ts'
import { nameEndpoints } from '../../../util/urls/endpointUrls.ts'
import type { EvmChain } from '../chains.ts'
import { createEndpoint, type Endpoint } from './endpoint.ts'
import type { Fault, Outcome } from './parseReply.ts'
import type { Answer, Rpc, RpcCall, RpcOptions } from './rpc.ts'
import { type FaultClass, NoEndpointError, RpcError } from './rpcError.ts'
import type { RpcSettings } from './rpcSettings.ts'

export type CreateRpcOptions = {
  chain: EvmChain
  settings: RpcSettings
  /** Byte budget of all node responses in progress in this process; omitted: a budget for these nodes alone. */
  budget?: ByteBudget | undefined
  metrics: Metrics
  log: Log
}

/** Bytes of all node responses in progress in a process: the longest allowed response must fit. */
export const answerBudgetBytes = 256 * 1_048_576

/** `final`: every node would return the same. `elsewhere`: another node may succeed. `again`: a transient error. */
const actions: Record<FaultClass, 'final' | 'elsewhere' | 'again'> = {
  reverted: 'final',
  out_of_gas: 'final',
  range_cap: 'final',
  result_cap: 'final',
  response_size: 'final',
  reversed: 'final',
  archive_paywall: 'elsewhere',
  unauthorized: 'elsewhere',
  method_disabled: 'elsewhere',
  method_missing: 'elsewhere',
  not_traceable: 'elsewhere',
  beyond_head: 'elsewhere',
  pruned: 'elsewhere',
  invalid_params: 'elsewhere',
  wrong_chain: 'elsewhere',
  rate_limit: 'again',
  overload: 'again',
  timeout: 'again',
  unknown: 'again',
  unreachable: 'again',
  broken: 'again',
}

const maxAttempts = 6
/** A request that is too heavy for one node is too heavy for the next one: the caller should request less. */
const maxTimeouts = 2
const maxHeavy = 2
const maxUnknown = 2
const firstBackoffMs = 100
const longestBackoffMs = 5_000
/** Longest wait for a usable node before a call fails. */
const maxWaitMs = 30_000

type Settled = { outcome: Outcome; endpoint: string }

export function createRpc(options: CreateRpcOptions): Rpc {
  const { chain, settings, budget = createByteBudget(answerBudgetBytes), metrics, log } = options
  const endpoints = nameEndpoints(chain.rpc).map(({ url, name }) =>
    createEndpoint({ url, name, chain, settings, budget, metrics, log }),
  )
  let closed = false
  const order = new Map(endpoints.map((endpoint, i) => [endpoint, i]))

  /** Waits until the best of `candidates` can be queried, and returns it. */
  async function choose(
    candidates: readonly Endpoint[],
    requested: Set<Endpoint>,
    options: RpcOptions,
    round: { n: number },
  ) {
    const deadline = performance.now() + maxWaitMs
    for (;;) {
      const now = performance.now()
      const alone = candidates.every((e) => e.health.waitMs(now, false) > 0)
      const rank = (e: Endpoint) =>
        (e.health.waitMs(now, alone) > 0 ? 1e9 : 0) +
        (requested.has(e) ? 1e8 : 0) +
        (options.avoid?.has(e.name) ? 1e7 : 0) +
        e.health.score() * 10 +
        (e.load() >= 1 ? 5 : 0) +
        order.get(e)! / 1_000
      const ranked = [...candidates].sort((a, b) => rank(a) - rank(b))
      const best = ranked[0]!
      if (candidates.every((e) => requested.has(e) || e.health.waitMs(now, alone) > 0) && requested.size > 0) {
        requested.clear()
        await sleep(backoffMs(round.n++), undefined, { signal: options.signal })
        continue
      }
      const wait = smallest(candidates.map((e) => e.health.waitMs(now, alone)))
      if (wait === 0) return best
      if (now + wait > deadline) return undefined
      await sleep(wait + 1, undefined, { signal: options.signal })
    }
  }

  /** Sends the calls to one endpoint after another until each has a result or a final error, or the attempts are used up. */
  async function execute(calls: readonly RpcCall[], options: RpcOptions, together: boolean): Promise<Settled[]> {
    const settled = new Array<Settled | undefined>(calls.length)
    const last = new Array<Settled | undefined>(calls.length)
    const useless = new Set<Endpoint>()
    const requested = new Set<Endpoint>()
    const round = { n: 0 }
    const passing = { attempts: 0, timeouts: 0, unknown: 0, heavy: 0 }
    let open = calls.map((_, i) => i)

    while (open.length > 0 && !closed) {
      const candidates = endpoints.filter((endpoint) => !useless.has(endpoint))
      const endpoint = candidates.length > 0 ? await choose(candidates, requested, options, round) : undefined
      if (!endpoint) break
      const outcomes = await endpoint.send(
        open.map((i) => calls[i]!),
        { together, signal: options.signal, parse: options.parse },
      )
      requested.add(endpoint)
      const faults = new Map<FaultClass, Fault>()
      const undone: number[] = []
      for (const [k, i] of open.entries()) {
        const outcome = outcomes[k]!
        last[i] = { outcome, endpoint: endpoint.name }
        if ('fault' in outcome) {
          metrics.rpcErrors.inc({ chain: chain.name, method: calls[i]!.method, class: outcome.fault.class })
          if (actions[outcome.fault.class] !== 'final') {
            faults.set(outcome.fault.class, outcome.fault)
            undone.push(i)
            continue
          }
        }
        settled[i] = last[i]
      }
      if (undone.length === 0) break
      if ([...faults.keys()].every((name) => actions[name] === 'elsewhere')) useless.add(endpoint)
      if (faults.has('timeout')) passing.timeouts++
      if (faults.has('unknown')) passing.unknown++
      if ([...faults.values()].some((fault) => fault.heavy)) passing.heavy++
      if ([...faults.keys()].some((name) => actions[name] === 'again')) passing.attempts++
      if (
        passing.attempts >= maxAttempts ||
        passing.timeouts >= maxTimeouts ||
        passing.heavy >= maxHeavy ||
        passing.unknown >= Math.max(maxUnknown, endpoints.length)
      )
        break
      // One backend must answer all calls of `together`, so all of them are sent again.
      const next = together ? calls.map((_, i) => i) : undone
      if (together) settled.fill(undefined)
      if (useless.size < endpoints.length)
        for (const i of next) metrics.rpcRetries.inc({ chain: chain.name, method: calls[i]!.method })
      open = next
    }

    return calls.map((_, i) => {
      const found = settled[i] ?? last[i]
      if (!found)
        throw new NoEndpointError({
          chain: chain.name,
          reasons: endpoints.map((e) => `${e.name}: ${e.lastFault()?.detail.slice(0, 200) ?? 'not queried yet'}`),
          otherChain: endpoints.some((e) => e.lastFault()?.class === 'wrong_chain'),
        })
      return found
    })
  }

  function toError({ outcome, endpoint }: Settled, method: string): RpcError | undefined {
    if (!('fault' in outcome)) return undefined
    const { fault } = outcome
    return new RpcError({ ...fault, chain: chain.name, endpoint, method })
  }

  function checkConfigured() {
    if (endpoints.length === 0) throw new NoEndpointError({ chain: chain.name, reasons: [] })
  }

  async function request<T>(method: string, params: readonly unknown[], options: RpcOptions = {}): Promise<Answer<T>> {
    checkConfigured()
    const [found] = await withReason(options, () => execute([{ method, params }], options, false))
    const error = toError(found!, method)
    if (error) throw error
    return { result: (found!.outcome as { result: T }).result, endpoint: found!.endpoint }
  }

  return {
    expect(marks) {
      for (const endpoint of endpoints) endpoint.expect(marks)
    },
    judge: (name, method, wrong) => endpoints.find((endpoint) => endpoint.name === name)?.judge(method, wrong),
    states: () => endpoints.map((endpoint) => endpoint.state()),
    endpoints: endpoints.length,
    batchSize: settings.batchSize,
    request,
    call: async (method, params, options) => (await request<never>(method, params, options)).result,
    async batch<T>(calls: readonly RpcCall[], options: RpcOptions = {}) {
      checkConfigured()
      const parts = Array.from(chunksOf(calls, settings.batchSize), (part) => execute(part, options, false))
      const found = await withReason(options, async () => (await Promise.all(parts)).flat())
      return found.map((s, i) => toError(s, calls[i]!.method) ?? (s.outcome as { result: T }).result)
    },
    async together<T>(calls: readonly RpcCall[], options: RpcOptions = {}) {
      checkConfigured()
      const found = await withReason(options, () => execute(calls, options, true))
      const result = found.map((s, i) => toError(s, calls[i]!.method) ?? (s.outcome as { result: T }).result)
      return { result, endpoint: found[0]!.endpoint }
    },
    async close() {
      closed = true
      await Promise.all(endpoints.map((endpoint) => endpoint.close()))
    },
  }
}

/** An aborted timer rejects with its own AbortError; the caller gets the reason of its signal instead. */
async function withReason<T>(options: RpcOptions, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (options.signal?.aborted) throw options.signal.reason
    throw error
  }
}

function backoffMs(round: number): number {
  return Math.min(longestBackoffMs, firstBackoffMs * 2 ** round) * (0.5 + Math.random() / 2)
}
