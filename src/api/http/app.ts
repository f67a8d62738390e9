import { type Context, Hono } from 'hono'
import type { Log } from '../../util/log.ts'
import { type Answer, headerOf, relay } from './answer.ts'
import type { Incoming, Operation, Operations, Respond } from './respond.ts'
import type { Route } from './route.ts'
import { createValidate } from './validate.ts'

/** Node objects that the server passes on with the request. */
export type AppEnvironment = {
  Bindings: {
    incoming?: { url?: string; socket?: { remoteAddress?: string | undefined; destroyed?: boolean } }
    outgoing?: { destroy(): void }
  }
}

/** The routes as an application that answers a Request with a Response. */
export function createApp(options: {
  operations: ReadonlyMap<string, Operations>
  respond: Respond
  log: Log
}): Hono<AppEnvironment> {
  const { operations: all, respond, log } = options
  const app = new Hono<AppEnvironment>()
  const shaped = Array.from(all, ([path, operations]) => ({ path, operations, shape: shapeOf(path, operations) }))
  for (const { path, operations } of shaped.sort(byFixedPath)) {
    const answer = (c: Context<AppEnvironment>) => answerWith(c, c.req.param() as Record<string, string>, operations)
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1')
    const rest = takesRest(operations) ? /\{(\w+)\}$/.exec(path)?.[1] : undefined
    if (rest === undefined) app.all(pattern, answer)
    else {
      // Also line breaks, which `.` does not match.
      app.all(`${pattern}{[\\s\\S]+}`, answer)
      app.all(pattern.slice(0, -rest.length - 1), (c) => answerWith(c, { ...c.req.param(), [rest]: '' }, operations))
    }
  }
  app.notFound((c) => answerWith(c, {}, undefined))

  async function answerWith(
    c: Context<AppEnvironment>,
    params: Record<string, string>,
    operations: Operations | undefined,
  ): Promise<Response> {
    const answer = await respond(incomingOf(c, params), operations)
    return responseOf(answer, bodyOf(answer, c))
  }

  function bodyOf(answer: Answer, c: Context<AppEnvironment>): Answer['body'] | ReadableStream<Uint8Array> {
    const { body, stream } = answer
    if (!stream) return body
    if (c.req.raw.method === 'HEAD') {
      stream.discard()
      return null
    }
    const outgoing = c.env?.outgoing
    if (!outgoing) return stream.open()
    return cutByFault(stream.open(), (err) => {
      log.warn({ requestId: headerOf(answer, 'x-request-id'), err }, 'response aborted')
      outgoing.destroy()
    })
  }

  return app
}

function takesRest(operations: Operations): boolean {
  return [...operations.values()].some(({ route }) => route.takesRest)
}

/**
 * Sort key of paths, as the router takes the first match. A fixed word precedes a parameter at the same place:
 * `/nft/{address}/sync` precedes `/nft/{address}/{token_id}`. A path whose last parameter takes the rest comes after
 * longer ones.
 */
function byFixedPath(a: { shape: string }, b: { shape: string }): number {
  return a.shape < b.shape ? -1 : Number(a.shape > b.shape)
}

/** `/nft/{address}/sync` as 010: 1 is a parameter, 2 a parameter that takes the rest of the path. */
function shapeOf(path: string, operations: Operations): string {
  const shape = path.replaceAll(/\/(\{)?[^/]*/g, (_, parameter) => (parameter ? '1' : '0'))
  return takesRest(operations) ? shape.replace(/1$/, '2') : shape
}

/** The operations by the paths of their routes; those below /api/v2 also under their alias below /api/v2.2. */
export function operationsByPath(routes: readonly Route[]): Map<string, Operations> {
  const paths = new Map<string, Map<string, Operation>>()
  for (const route of routes) {
    const { path } = route
    for (const alias of new Set([path, path.replace(/^\/api\/v2\//, '/api/v2.2/')])) {
      const operations = paths.get(alias) ?? new Map<string, Operation>()
      operations.set(route.method, { route, validate: createValidate(route) })
      paths.set(alias, operations)
    }
  }
  return paths
}

function incomingOf(c: Context<AppEnvironment>, params: Record<string, string>): Incoming {
  const { url, method } = c.req.raw
  const fragment = url.indexOf('#')
  const whole = fragment < 0 ? url : url.slice(0, fragment)
  const question = whole.indexOf('?')
  return {
    method,
    target: c.env?.incoming?.url ?? whole.slice(whole.indexOf('/', whole.indexOf('//') + 2)),
    search: question < 0 ? '' : whole.slice(question),
    params,
    address: c.env?.incoming?.socket?.remoteAddress ?? '',
    isGone: () => c.env?.incoming?.socket?.destroyed ?? c.req.raw.signal.aborted,
    get signal() {
      return c.req.raw.signal
    },
    header: (name) => c.req.raw.headers.get(name) ?? undefined,
    get body() {
      return c.req.raw.body
    },
  }
}

/**
 * A body whose errors go to `cut`. The headers are sent by then, so only ending the connection early shows the error.
 * The server's adapter would append the error's text to the body.
 */
function cutByFault(body: ReadableStream<Uint8Array>, cut: (error: unknown) => void): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  reader.closed.catch(cut)
  return relay(reader, () => reader.read().catch(() => undefined))
}

function responseOf({ status, headers }: Answer, body: Answer['body'] | ReadableStream<Uint8Array>): Response {
  const record: Record<string, string> = {}
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!
    record[name] = name in record ? `${record[name]}, ${headers[i + 1]}` : headers[i + 1]!
  }
  return new Response(body as Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null, { status, headers: record })
}
