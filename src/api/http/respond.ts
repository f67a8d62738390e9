import { performance } from 'node:perf_hooks'
import type { CountRequest } from '../../metrics/requestMetrics.ts'
import { BadRequestError, BeingMadeError, type MintmarkError, TooManyRequestsError } from '../../util/errors.ts'
import type { Log } from '../../util/log.ts'
import type { Credentials, Key, Keyring } from '../keys/keyring.ts'
import { isSessionToken } from '../keys/sessionToken.ts'
import { type Answer, headerOf } from './answer.ts'
import type { Cors } from './cors.ts'
import { compress, minCompressedBytes } from './encodedBody.ts'
import { errorAnswer } from './errorAnswer.ts'
import {
  ForbiddenError,
  MethodNotAllowedError,
  NotAcceptableError,
  PayloadTooLargeError,
  UnauthorizedError,
  UriTooLongError,
  unknownPath,
} from './errors.ts'
import { bytesTag, matchesEtag } from './etag.ts'
import type { Negotiate } from './negotiate.ts'
import type { Pacer } from './pacer.ts'
import type { PageTarget } from './pageTarget.ts'
import { parseRequestJson, readBytes } from './readJson.ts'
import { credentialsFor, type Exchange, isTagged, type Route, type Schedule, schedulingOf } from './route.ts'
import type { Scheduler } from './scheduler.ts'
import { type Validate, validateBody } from './validate.ts'

/** A route with its validation. */
export type Operation = { route: Route; validate: Validate }

/** All operations of one path, by method. */
export type Operations = ReadonlyMap<string, Operation>

/** A request, from Hono or from a shortcut. */
export type Incoming = {
  method: string
  /** Path and query as sent by the client. */
  target: string
  /** The query string, with its question mark. */
  search: string
  params: Record<string, string>
  header(name: string): string | undefined
  /** IP address of the client; behind a proxy, that of the proxy. */
  address: string
  /** Whether the client closed the connection. */
  isGone(): boolean
  /** Aborted when the client closes the connection. A shortcut omits it. */
  signal?: AbortSignal
  body: AsyncIterable<Uint8Array> | null
  /** The page of a target that was validated before: validation is skipped. */
  page?: Pick<PageTarget, 'answer'>
}

export type Respond = (incoming: Incoming, operations: Operations | undefined) => Promise<Answer>

export type RespondOptions = {
  keyring: Keyring
  cors: Cors
  negotiate: Negotiate
  requestId(incoming: string | undefined): string
  count: CountRequest
  scheduler: Scheduler
  pacer: Pacer
  log: Log
  maxTargetLength: number
  maxBodyBytes: number
}

/** Handles every request: limits, Accept, key, rate, parameters, operation, and the headers of every answer. */
export function createRespond(options: RespondOptions): Respond {
  const { keyring, cors, negotiate, requestId, count, scheduler, pacer, log, maxTargetLength, maxBodyBytes } = options

  async function findKey(credentials: Credentials, address: string): Promise<Key | undefined> {
    return keyring.known(credentials) ?? keyring.find(credentials, address)
  }

  async function keyOf(route: Route, incoming: Incoming): Promise<Key | undefined> {
    if (route.access === 'none') return undefined
    const credentials = credentialsFor(route, incoming)
    const key = await findKey(credentials, incoming.address)
    if (!key) throw wrongKey(credentials, incoming.address, route)
    if (route.access === 'admin' && key.access !== 'admin')
      throw new ForbiddenError('this operation needs an admin key; the key of this request is a read key')
    return key
  }

  function wrongKey({ apiKey, authorization }: Credentials, address: string, route: Route): MintmarkError {
    const place = route.keyParameter === undefined ? 'the header X-API-Key' : 'the path, or in the header X-API-Key'
    if (!apiKey && !authorization) return new UnauthorizedError(`the API key is missing; it goes into ${place}`)
    const retryAfterSeconds = keyring.reject(address)
    if (retryAfterSeconds === undefined && apiKey && isSessionToken(apiKey))
      return new UnauthorizedError('the session has ended; sign in again')
    if (retryAfterSeconds === undefined)
      return new UnauthorizedError(`the API key is unknown or was revoked; allowed: a valid key in ${place}`)
    const message = `the API key is unknown, and so were many others from this address; retry in ${retryAfterSeconds} s`
    return new TooManyRequestsError(message, { retryAfterSeconds })
  }

  /** `finish`: completes the answer of a route. */
  async function operate(
    incoming: Incoming,
    operations: Operations | undefined,
    request: Pending,
    finish: (answer: Answer) => Promise<Answer>,
  ): Promise<Answer> {
    if (incoming.target.length > maxTargetLength)
      throw new UriTooLongError(
        `path and query have ${incoming.target.length} characters; allowed: at most ${maxTargetLength}`,
      )
    const allowedBytes = operations?.get(incoming.method)?.route.body?.maxBytes ?? maxBodyBytes
    const bodyBytes = Number(incoming.header('content-length') ?? 0)
    if (bodyBytes > allowedBytes)
      throw new PayloadTooLargeError(`the body has ${bodyBytes} bytes; allowed: at most ${allowedBytes}`)
    if (!operations) throw unknownPath()
    const methods = methodsOf(operations)
    if (incoming.method === 'OPTIONS') return preflight(incoming, methods)
    const operation = operations.get(incoming.method === 'HEAD' ? 'GET' : incoming.method)
    if (!operation) throw wrongMethod(incoming.method, operations, methods)
    const { route, validate } = operation
    request.route = route.path
    request.isPrivate = route.access !== 'none'
    if (route.produces === 'json' && !negotiate.admitsJson(incoming.header('accept')))
      throw new NotAcceptableError('the header Accept excludes JSON; allowed: one that admits application/json')
    const key = await keyOf(route, incoming)
    request.key = key
    if (key?.rateLimit && !key.rateLimit.take()) throw key.rateLimit.tooFast()
    const schedule: Schedule = (task, { kind = '', firstMs } = {}) =>
      scheduler.run(
        { keyId: key?.id ?? 0n, operation: `${route.operationId} ${kind}`, firstMs, isGone: incoming.isGone },
        task,
      )
    const scheduling = schedulingOf(route)
    const exchange: Exchange = {
      ...{ requestId: request.requestId, encoding: request.encoding, target: incoming.target, key },
      ...{ params: incoming.params, header: incoming.header, address: incoming.address },
      isKeyValid: () =>
        findKey(credentialsFor(route, incoming), incoming.address).then(
          (found) => found?.id === key?.id,
          () => true,
        ),
      schedule: scheduling === 'whole' ? atOnce : schedule,
      // Created on first use, as few operations need it.
      get signal() {
        return incoming.signal
      },
    }
    const run = scheduling === 'whole' ? schedule : atOnce
    const { page } = incoming
    if (page) return run(async () => finish(await page.answer(exchange)))
    const { params, query } = validate(incoming)
    if (route.body) requireUncompressed(incoming)
    // Outside of the task: a client that sends slowly delays no others.
    const bytes = route.body && (await readBytes(incoming.body, allowedBytes))
    return run(async () => {
      const body = route.body && validateBody(route.body.schema, parseRequestJson(bytes!))
      return finish(await route.handle({ params, query, body, exchange }))
    })
  }

  function preflight(incoming: Incoming, methods: string): Answer {
    const origin = incoming.header('origin')
    const requested = incoming.header('access-control-request-headers')
    return { status: 204, headers: ['allow', methods, ...cors.preflight(origin, methods, requested)], body: null }
  }

  async function encoded(answer: Answer, request: Pending): Promise<Answer> {
    const { body, headers } = answer
    if (!body || body.length < minCompressedBytes || headerOf(answer, 'content-encoding') !== undefined) return answer
    // Image formats are already compressed.
    if (headerOf(answer, 'content-type')?.startsWith('image/')) return answer
    const varied = headerOf(answer, 'vary') === undefined ? [...headers, ...byEncoding] : headers
    if (request.encoding === 'identity') return { ...answer, headers: varied }
    return {
      ...answer,
      headers: [...varied, 'content-encoding', request.encoding],
      body: await compress(body, request.encoding),
    }
  }

  return async (incoming, operations) => {
    const startedAt = performance.now()
    const request: Pending = {
      requestId: requestId(incoming.header('x-request-id')),
      encoding: negotiate.encoding(incoming.header('accept-encoding')),
      route: operations ? [...operations.values()][0]!.route.path : 'unknown',
      key: undefined,
      isPrivate: false,
    }
    let answer: Answer
    try {
      answer = await operate(incoming, operations, request, (made) =>
        encoded(tagged(made, incoming, operations), request),
      )
    } catch (error) {
      answer = errorAnswer(error, operations && [...operations.values()][0]!.route.errorForm?.body)
      const fields = { route: request.route, status: answer.status, err: error }
      // Each 500 is logged with its request id. Unavailability is a state, which is logged once and counted; /ready
      // logs its own changes.
      if (answer.status === 500) log.error({ requestId: request.requestId, ...fields }, 'request failed')
      else if (answer.status > 500 && !(error instanceof BeingMadeError))
        log[request.route === '/ready' ? 'debug' : 'warn'](fields, 'request failed: temporarily unavailable')
    }
    const { body, stream } = answer
    const keyId = request.key?.id ?? 0n
    const headers = [
      ...answer.headers,
      ...(body && headerOf(answer, 'content-length') === undefined ? ['content-length', String(body.length)] : []),
      'x-request-id',
      request.requestId,
      // Caches on the way do not know that the answer depends on X-API-Key.
      ...(request.isPrivate && headerOf(answer, 'cache-control') === undefined ? ['cache-control', 'no-store'] : []),
      ...(request.key?.rateLimit?.headers() ?? []),
      ...(incoming.method !== 'OPTIONS' || !operations ? cors.headers(incoming.header('origin')) : []),
    ]
    count(request.route, incoming.method, answer.status, (performance.now() - startedAt) / 1_000)
    return {
      ...{ ...answer, headers },
      ...(stream &&
        !stream.isLive && {
          stream: { open: () => pacer.pace(keyId, stream.open()), discard: stream.discard },
        }),
    }
  }
}

/** Known facts of a request so far. */
type Pending = Pick<Exchange, 'requestId' | 'encoding'> & { route: string; key: Key | undefined; isPrivate: boolean }

const byEncoding = ['vary', 'Accept-Encoding']

/** Runs a task immediately, without the scheduler. */
const atOnce: Schedule = (task) => task()

/** Adds a tag of the answer's bytes if it has none, so that repeated requests get 304 while nothing changed. */
function tagged(answer: Answer, incoming: Incoming, operations: Operations | undefined): Answer {
  const isRequested = incoming.method === 'GET' || incoming.method === 'HEAD'
  const route = isRequested ? operations?.get('GET')?.route : undefined
  if (!route || !isTagged(route) || answer.status !== 200 || !answer.body) return answer
  const own = headerOf(answer, 'etag')
  const etag = own ?? `W/${bytesTag(answer.body)}`
  const headers = own === undefined ? [...answer.headers, 'etag', etag] : answer.headers
  if (!matchesEtag(incoming.header('if-none-match'), etag)) return { ...answer, headers }
  // The same headers as the 200 (RFC 9110, 15.4.5).
  const varies = answer.body.length >= minCompressedBytes && headerOf(answer, 'vary') === undefined
  return { status: 304, headers: varies ? [...headers, ...byEncoding] : headers, body: null }
}

function requireUncompressed({ header }: Incoming): void {
  const coding = header('content-encoding') ?? 'identity'
  if (coding.toLowerCase() !== 'identity')
    throw new BadRequestError(`Content-Encoding is "${coding}"; allowed: a body without compression`, {
      details: { parameter: 'Content-Encoding' },
    })
}

function wrongMethod(method: string, operations: Operations, allow: string): MintmarkError {
  if ([...operations.values()].every(({ route }) => route.isAbsent)) return unknownPath()
  return new MethodNotAllowedError(`${method} is not a method of this path; allowed: ${allow}`, { allow })
}

function methodsOf(operations: Operations): string {
  const methods = [...operations.keys()]
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}
