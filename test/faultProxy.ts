import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { distort, type ProxiedAnswer, type ProxiedCall, redirect, rejectCall } from './callFaults.ts'
import { createFaultDice } from './faultDice.ts'
import type { Fault, FaultPlan, HttpFault, Limit } from './faultPlan.ts'
import { postJson, postJsonRpc } from './jsonRpc.ts'
import { createRandom } from './random.ts'
import { batchRejections } from './rejections.ts'

export type FaultProxyOptions = {
  /** The node behind the proxy. */
  target: string
  seed: number
  plan?: FaultPlan
}

export type FaultProxy = {
  url: string
  seed: number
  /** Replaces the plan, starting with the next request. */
  setPlan(plan: FaultPlan): void
  /** How often each error and each limit struck; no entry if never. */
  counts: ReadonlyMap<Fault | Limit, number>
  /** Number of calls by method, including rejected ones. */
  requests: ReadonlyMap<string, number>
  /** Number of HTTP requests. */
  exchanges(): number
  /** Sets all counts to zero. */
  reset(): void
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A JSON-RPC node over HTTP that forwards calls to another node and injects errors.
 * They are seeded, bounded in a row, and changeable at run time.
 */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { target, seed } = options
  let plan = options.plan ?? {}
  const random = createRandom(seed)
  const counts = new Map<Fault | Limit, number>()
  const requests = new Map<string, number>()
  const dice = createFaultDice({ plan: () => plan, random, counts })
  let exchanges = 0

  const strikes = (fault: HttpFault) => {
    if (!dice.roll(fault, '')) return false
    dice.struck(fault, '')
    return true
  }

  const answerAll = async (calls: ProxiedCall[]): Promise<ProxiedAnswer[]> => {
    const head = await readHead(target)
    const lag = strikes('lagging') ? (plan.lagBlocks ?? 5n) : 0n
    const seen = lag < head ? head - lag : 0n
    const strike = { plan, dice, random, head: seen }
    const rejections = calls.map((call) => rejectCall(call, strike))
    const passed = calls.filter((_, n) => !rejections[n]).map((call) => redirect(call, strike))
    const answers = passed.length > 0 ? await forward(target, passed) : []
    let next = 0
    return calls.map((call, n) => {
      const error = rejections[n]
      const answer = error ? { jsonrpc: '2.0', id: call.id, error } : answers[next++]!
      return distort(call, { ...answer, id: call.id }, strike)
    })
  }

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ProxiedCall | ProxiedCall[]
    const calls = Array.isArray(body) ? body : [body]
    exchanges++
    for (const { method } of calls) requests.set(method, (requests.get(method) ?? 0) + 1)
    const send = (status: number, type: string, text: string, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text), ...headers })
        .end(text)
    const html = '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>cloud</body></html>'

    if (strikes('hang')) return
    if (strikes('tooManyRequests'))
      return send(429, 'text/plain', 'Too Many Requests', { 'retry-after': String(plan.retryAfterSeconds ?? 0) })
    if (strikes('serverError')) return send(502, 'text/html', html)
    if (strikes('htmlAnswer')) return send(200, 'text/html', html)
    if (calls.length > (plan.maxBatch ?? Number.POSITIVE_INFINITY)) {
      dice.struck('batchRefused', '')
      const { status = 200, ...error } = random.pick(batchRejections)
      return send(status, 'application/json', JSON.stringify({ jsonrpc: '2.0', id: null, error }))
    }

    let answers = await answerAll(calls)
    if (answers.length > 1 && strikes('missingAnswer')) answers = answers.toSpliced(random.int(answers.length), 1)
    if (answers.length > 1 && strikes('reorderedBatch')) answers = answers.toReversed()
    const statuses = answers.map((answer) => answer.error?.status ?? 200)
    const given = answers.map(({ error, ...answer }) => (error ? { ...answer, error: withoutStatus(error) } : answer))
    const text = JSON.stringify(Array.isArray(body) ? given : given[0])
    if (strikes('cut')) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      return void response.write(text.slice(0, Math.ceil(text.length / 2)), () => request.socket.destroy())
    }
    if (strikes('brokenJson')) return send(200, 'application/json', text.slice(0, -1 - random.int(text.length - 1)))
    // Like QuickNode: a rejection has its own HTTP status only if it is not part of a batch.
    send(Array.isArray(body) ? 200 : statuses[0]!, 'application/json', text)
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error) => {
      // The node behind does not respond, or the client sent no JSON. Gateways return 502 in this case.
      if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/plain' }).end(String(error))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const stop = async () => {
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seed,
    setPlan: (changed) => {
      plan = changed
    },
    counts,
    requests,
    exchanges: () => exchanges,
    reset: () => {
      counts.clear()
      requests.clear()
      exchanges = 0
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

async function readHead(target: string): Promise<bigint> {
  const [head] = await postJsonRpc(target, [{ method: 'eth_blockNumber', params: [] }])
  if (head instanceof Error) throw head
  return BigInt(head as string)
}

/** Responses in the order of the calls. */
async function forward(target: string, calls: ProxiedCall[]): Promise<ProxiedAnswer[]> {
  const request = calls.map((call, id) => ({ ...call, id }))
  const answers = (await postJson(target, request)) as ProxiedAnswer[]
  return answers.sort((a, b) => Number(a.id) - Number(b.id))
}

function withoutStatus({ code, message, data }: { code: number; message: string; data?: unknown }) {
  return { code, message, ...(data !== undefined && { data }) }
}
