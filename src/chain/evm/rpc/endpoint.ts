import { setTimeout as sleep } from 'node:timers/promises'
import { buildConnector, Pool } from 'undici'
import type { Metrics } from '../../../metrics/metrics.ts'
import type { ByteBudget } from '../../../util/byteBudget.ts'
import { chunksOf } from '../../../util/chunksOf.ts'
import { skipInterim } from '../../../util/http/skipInterim.ts'
import type { Log } from '../../../util/log.ts'
import { createMask } from '../../../util/urls/secrets.ts'
import { basicAuthorization, secretsOfUrl } from '../../../util/urls/secretsOfUrl.ts'
import type { EvmChain } from '../chains.ts'
import { answerBounds, isShort } from './answerBounds.ts'
import { createBatchSize } from './batchSize.ts'
import { createCallPace } from './callPace.ts'
import { createEndpointHealth, type EndpointHealth } from './endpointHealth.ts'
import { createEndpointIdentity } from './endpointIdentity.ts'
import { createEndpointOutage } from './endpointOutage.ts'
import { type EndpointState, endpointState, unansweredCalls } from './endpointState.ts'
import { failedByWeight, isHeavy } from './heavyCalls.ts'
import { createLimiter } from './limiter.ts'
import type { ParseElsewhere } from './parseJson.ts'
import { type Fault, type Outcome, type Parsed, parseReply } from './parseReply.ts'
import { postJson, type Reply } from './postJson.ts'
import { faultOf, faultsIn, faultsOf, isRateLimited, isTooMuch } from './replyFaults.ts'
import type { Mark, RpcCall } from './rpc.ts'
import type { RpcSettings } from './rpcSettings.ts'

/** One address of a node: its connections, health, request limit and batch size. */
export type Endpoint = {
  /** The host, with a number if several addresses share it. Never the path or query, which may contain a key. */
  name: string
  health: EndpointHealth
  load(): number
  /** The last error of the endpoint; undefined before the first. */
  lastFault(): Fault | undefined
  state(): EndpointState
  /** See `Rpc.judge`. */
  judge(method: string, wrong: string | undefined): void
  /** Requires another check of the chain before the endpoint's next call: its id and these blocks must match. */
  expect(marks: readonly Mark[]): void
  /**
   * Rejects only with the signal's reason, or with a ThreadError of `parse`. An error of the whole exchange is returned as the error of each call.
   */
  send(calls: readonly RpcCall[], options: { together: boolean } & Sending): Promise<Outcome[]>
  close(): Promise<void>
}

/** Options for sending calls. */
type Sending = { signal?: AbortSignal | undefined; parse?: ParseElsewhere | undefined }

export type EndpointOptions = {
  url: string
  name: string
  chain: EvmChain
  settings: RpcSettings
  /** Byte budget of all node responses in progress in this process. */
  budget: ByteBudget
  metrics: Metrics
  log: Log
}

/** An address that served another chain is checked again after this time, unless `expect` requires it earlier. */
const wrongChainMs = 300_000
/** Retries of a batch part that the node rejected for its rate. */
const mostAgain = 3
/** Errors of a light call that do not show whether the node works: a gateway may have returned them. */
const nothingShown: ReadonlySet<Fault['class']> = new Set<Fault['class']>([
  'overload',
  'rate_limit',
  'timeout',
  'unauthorized',
])

export function createEndpoint(options: EndpointOptions): Endpoint {
  const { name, chain, settings, metrics, log } = options
  const budget = options.budget.share()
  const url = new URL(options.url)
  const pool = new Pool(url.origin, {
    connections: settings.maxConcurrency,
    // The exchange has one time limit of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: skipInterim(buildConnector({ timeout: Math.min(settings.timeoutMs, 10_000) })),
    keepAliveTimeout: 10_000,
  })
  const headers = requestHeaders(url)
  const mask = createMask(secretsOfUrl(options.url))
  const health = createEndpointHealth()
  const outage = createEndpointOutage({ chain: chain.name, endpoint: name, log })
  const limiter = createLimiter({ max: settings.maxConcurrency })
  const batch = createBatchSize({ max: settings.batchSize })
  const pace = createCallPace()
  /** Methods whose latest responses are invalid, and why. */
  const wrongAnswers = new Map<string, string>()
  let lastId = 0
  let lastFault: Fault | undefined
  let probing: Promise<boolean> | undefined
  const counted = { calls: 0, failed: 0 }
  const identity = createEndpointIdentity({
    chain,
    send: (calls) => inBatches(calls, Math.min(batch.size(), pace.most())),
    onOther: wrongChain,
  })
  /** The last logged message about another chain, to log it only once; undefined: the chain is right. */
  let otherChain: string | undefined

  /** `parsed` undefined: nothing was sent, as these calls exceed the node's rate. */
  async function exchange(
    calls: readonly RpcCall[],
    { signal, parse }: Sending = {},
  ): Promise<{ parsed: Parsed | undefined; byWeight: 'yes' | 'no' | 'perhaps' }> {
    const permit = await limiter.acquire(signal)
    // The rate was learned while these calls waited.
    if (calls.length > pace.most()) {
      permit.release('neutral')
      return { parsed: undefined, byWeight: 'no' }
    }
    let outcome: 'ok' | 'overloaded' | 'neutral' = 'neutral'
    try {
      const wait = pace.reserve(calls.length)
      if (wait > 0) await sleep(wait, undefined, { signal })
      const number = pace.begin()
      const ids = calls.map(() => ++lastId)
      const bodies = calls.map((call, i) => ({ jsonrpc: '2.0', id: ids[i], method: call.method, params: call.params }))
      const body = JSON.stringify(bodies.length === 1 ? bodies[0] : bodies)
      for (const call of calls) metrics.rpcRequests.inc({ chain: chain.name, method: call.method })
      const start = performance.now()
      health.begin()
      counted.calls += calls.length
      const path = url.pathname + url.search
      const { timeoutMs } = settings
      const bounds = answerBounds(calls)
      const reply = await postJson({ pool, path, headers, body, timeoutMs, bounds, budget, signal, parse })
      const ms = performance.now() - start - (reply.kind === 'reply' ? reply.parseMs : 0)
      metrics.rpcSeconds.observe({ chain: chain.name }, ms / 1_000)
      const parsed =
        reply.kind === 'reply'
          ? parseReply(reply.json, reply.status, ids, mask)
          : { kind: 'fault' as const, fault: faultOf(reply, timeoutMs, bounds.bytes, calls.every(isShort)) }
      counted.failed += unansweredCalls(calls.length, parsed)
      notePace(calls.length, parsed, number)
      const byWeight = failedByWeight(calls, reply, parsed)
      if (byWeight === 'no') outcome = judge(reply, parsed, ms)
      else health.neutral()
      return { parsed, byWeight }
    } catch (error) {
      health.neutral()
      throw error
    } finally {
      permit.release(outcome)
    }
  }

  function notePace(calls: number, parsed: Parsed, number: number): void {
    const limited = faultsIn(parsed).filter((fault) => fault.class === 'rate_limit').length
    // An error of the whole exchange is one of all calls.
    if (limited > 0 && (parsed.kind === 'fault' || limited * 2 > calls)) pace.rejected(calls, number)
    else if (parsed.kind === 'outcomes') pace.admitted(calls)
  }

  function judge(reply: Reply, parsed: Parsed, ms: number): 'ok' | 'overloaded' | 'neutral' {
    const now = performance.now()
    const faults = faultsIn(parsed)
    if (faults.some((fault) => fault.class === 'rate_limit')) {
      health.rateLimited(now, reply.kind === 'reply' ? reply.retryAfterMs : undefined)
      lastFault = { class: 'rate_limit', detail: 'rate limited' }
      return 'overloaded'
    }
    if (faults.some((fault) => fault.class === 'overload' || (fault.class === 'timeout' && parsed.kind === 'fault'))) {
      if (reply.kind === 'reply' && reply.retryAfterMs !== undefined) health.rateLimited(now, reply.retryAfterMs)
      fail(now, false, faults[0]!)
      return 'overloaded'
    }
    if (parsed.kind === 'fault' && parsed.fault.class !== 'response_size') {
      fail(now, reply.kind === 'unreachable' && reply.rejected, parsed.fault)
      return 'neutral'
    }
    health.success(ms)
    outage.answered()
    return 'ok'
  }

  function fail(now: number, hard: boolean, fault: Fault) {
    lastFault = fault
    // When the address answers again, another node of another chain may be behind it.
    if (fault.class === 'unreachable' || fault.class === 'broken') identity.forget()
    const wasOpen = health.isOpen()
    health.failure(now, hard)
    outage.failed(fault, !wasOpen && health.isOpen())
  }

  function wrongChain(detail: string): Fault {
    health.block(performance.now(), wrongChainMs)
    const fault: Fault = { class: 'wrong_chain', detail }
    lastFault = fault
    if (otherChain !== detail)
      log.error({ chain: chain.name, endpoint: name, detail }, 'rpc endpoint serves another chain')
    otherChain = detail
    metrics.rpcErrors.inc({ chain: chain.name, method: 'eth_chainId', class: 'wrong_chain' })
    return fault
  }

  /** Whether the endpoint answers a light call now; only that call counts for its health. Concurrent callers share one call. */
  function answersOthers(): Promise<boolean> {
    probing ??= exchange([{ method: 'eth_blockNumber', params: [] }])
      .then(
        ({ parsed }) =>
          parsed?.kind === 'outcomes' && !faultsOf(parsed.outcomes).some(({ class: c }) => nothingShown.has(c)),
      )
      .finally(() => {
        probing = undefined
      })
    return probing
  }

  async function sendPart(calls: readonly RpcCall[], together: boolean, sending: Sending): Promise<Outcome[]> {
    const { parsed, byWeight } = await exchange(calls, sending)
    if (!parsed) return inBatches(calls, pace.most(), sending)
    const heavy = byWeight === 'yes' || (byWeight === 'perhaps' && (await answersOthers()))
    if (parsed.kind === 'fault') return calls.map(() => ({ fault: { ...parsed.fault, heavy } }))
    if (parsed.kind === 'batch_refused') {
      batch.rejected(calls.length, parsed.never)
      log.debug(
        { chain: chain.name, endpoint: name, size: calls.length, detail: parsed.detail.slice(0, 200) },
        'rpc batch rejected',
      )
      return inBatches(calls, batch.size(), sending)
    }
    const { outcomes } = parsed
    if (heavy)
      for (const [i, outcome] of outcomes.entries())
        if ('fault' in outcome && isHeavy(calls[i]!)) outcome.fault.heavy = true
    if (calls.length === 1 || together) return outcomes
    const tooMuch = outcomes.flatMap((o, i) => ('fault' in o && isTooMuch(o.fault) ? [i] : []))
    if (tooMuch.length === 0) return outcomes
    // The answers before these reached the node's response limit.
    const again = tooMuch.map((i) => calls[i]!)
    const retried = await inBatches(again, Math.max(1, Math.floor(calls.length / 2)), sending)
    for (const [k, i] of tooMuch.entries()) outcomes[i] = retried[k]!
    return outcomes
  }

  async function inBatches(calls: readonly RpcCall[], size: number, sending: Sending = {}): Promise<Outcome[]> {
    let outcomes: Outcome[] = []
    for (const part of chunksOf(calls, size)) {
      let found = await sendPart(part, false, sending)
      // Answered calls are not repeated for the rate of the rest.
      for (let again = 0; again < mostAgain && found.every(isRateLimited); again++) {
        await sleep(health.waitMs(performance.now(), true), undefined, { signal: sending.signal })
        found = await sendPart(part, false, sending)
      }
      outcomes = outcomes.concat(found)
    }
    return outcomes
  }

  return {
    name,
    health,
    load: limiter.load,
    lastFault: () => lastFault,
    state: () =>
      endpointState({
        ...{ name, health, counted },
        isOtherChain: otherChain !== undefined,
        wrong: [...wrongAnswers].map(([method, detail]) => `${method}: ${detail}`)[0],
        detail: lastFault && mask(lastFault.detail),
      }),
    judge(method, wrong) {
      if (wrong === undefined) wrongAnswers.delete(method)
      else wrongAnswers.set(method, wrong)
    },
    expect(marks) {
      identity.expect(marks)
      health.block(performance.now(), 0)
    },
    async send(calls, { together, ...sending }) {
      const fault = await identity.verify()
      sending.signal?.throwIfAborted()
      if (fault) return calls.map(() => ({ fault }))
      if (otherChain !== undefined)
        log.info({ chain: chain.name, endpoint: name }, 'rpc endpoint serves the right chain again')
      otherChain = undefined
      const size = Math.min(batch.size(), pace.most())
      if (calls.length <= size) return sendPart(calls, together, sending)
      if (together) return inBatches(calls, size, sending)
      return (await Promise.all(Array.from(chunksOf(calls, size), (part) => sendPart(part, false, sending)))).flat()
    },
    close: () => pool.destroy(),
  }
}

function requestHeaders(url: URL): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' }
  // gzip makes logs ten times smaller. A node on plain HTTP is near: there compression costs more than it saves.
  if (url.protocol === 'https:') headers['accept-encoding'] = 'gzip'
  const authorization = basicAuthorization(url)
  if (authorization !== undefined) headers.authorization = authorization
  return headers
}
