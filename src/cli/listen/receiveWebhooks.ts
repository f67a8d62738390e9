import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { request as forwardRequest } from 'undici'
import { bodyLists } from '../../stream/payload/payloadFacts.ts'
import { errorCode } from '../../util/errors.ts'
import { connectionMessages } from '../../util/faults/connectionMessages.ts'
import type { WebhookBody } from '../../webhook.ts'
import { checkSignatures, type Secrets, type Verdicts } from './checkSignatures.ts'

export type Received = {
  /** undefined: the body is not a webhook. */
  body: WebhookBody | undefined
  bytes: number
  id: string
  verdicts: Verdicts | undefined
  /** Response status. `forwarded`: the response of the `forward` URL, as readable text. */
  status: number
  forwarded: string | undefined
}

export type ReceiveOptions = {
  port: number
  secrets: Secrets
  /** Share of requests that get a 500, 0 to 1. */
  fail: number
  delayMs: number
  /** URL to which requests are forwarded unchanged; its response is returned. */
  forward: string | undefined
  onReceived(received: Received): void
}

/** Larger bodies get a 413. */
const largest = 33_554_432

/** How long to wait, after its test webhook, for a stream to be stored, and the poll interval, in milliseconds. */
const storingMs = 5_000
const lookMs = 50

/** Whether this is the test webhook of a stream that is not stored yet. */
function isEarly(streamId: string, { legacy, standard }: Verdicts): boolean {
  return streamId === '' && legacy === 'right' && standard === 'unknown secret'
}

/** Receives webhooks on this machine, verifies their signatures, and responds as the options specify. */
export async function receiveWebhooks(options: ReceiveOptions): Promise<{ url: string; close(): Promise<void> }> {
  const { port, secrets, fail, delayMs, forward, onReceived } = options

  /** Decides the response to a request. `report` reports the webhook after the response is sent. */
  async function take(request: IncomingMessage): Promise<{ status: number; report?: () => Promise<void> }> {
    const text = await readText(request)
    if (text === undefined) return { status: 413 }
    const body = parse(text)
    const streamId = typeof body?.streamId === 'string' ? body.streamId : ''
    const signed = { body: text, headers: request.headers, streamId }
    const check = () => checkSignatures(signed, secrets)
    const verdicts = body && (await check())
    if (delayMs > 0) await delay(delayMs)
    const failing = Math.random() < fail
    const answered = !failing && forward !== undefined ? await pass(request, text, forward) : undefined
    const wrong = verdicts?.legacy === 'wrong' || verdicts?.standard === 'wrong'
    const status = failing ? 500 : (answered?.status ?? (body === undefined ? 400 : wrong ? 401 : 200))
    const report = async () =>
      onReceived({
        body,
        bytes: Buffer.byteLength(text),
        id: String(request.headers['webhook-id'] ?? '-'),
        verdicts:
          verdicts && (secrets.growing && isEarly(streamId, verdicts) ? await untilKnown(verdicts, check) : verdicts),
        status,
        forwarded: answered?.text,
      })
    return { status, report }
  }

  /**
   * A stream and its secret are stored only after its test webhook is answered, so the signatures are verified again
   * later.
   */
  async function untilKnown(first: Verdicts, check: () => Promise<Verdicts>): Promise<Verdicts> {
    let verdicts = first
    for (const deadline = performance.now() + storingMs; performance.now() < deadline; verdicts = await check()) {
      if (verdicts.standard === 'right') break
      await delay(lookMs, undefined, { signal: closing.signal })
    }
    return verdicts
  }

  const closing = new AbortController()
  const server = createServer((request, response) => {
    take(request).then(
      ({ status, report }) => {
        response.writeHead(status).end()
        // The receiver was closed or the database became unreachable while `report` waited; the response is already
        // sent.
        report?.().catch(() => undefined)
      },
      // The sender disconnected while the body was read.
      () => response.destroy(),
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      closing.abort()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  const packed = request.headers['content-encoding'] === 'gzip'
  for await (const chunk of packed ? request.pipe(createGunzip()) : request) {
    bytes += (chunk as Buffer).length
    if (bytes > largest) return undefined
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): WebhookBody | undefined {
  try {
    const value = JSON.parse(text) as WebhookBody
    return value !== null && typeof value.block === 'object' && bodyLists.every((list) => Array.isArray(value[list]))
      ? value
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Headers of a single connection, or of the compressed body. All others are forwarded, including those that the
 * stream's owner chose.
 */
const notPassed = new Set(['connection', 'content-encoding', 'content-length', 'expect', 'host', 'transfer-encoding'])

async function pass(
  request: IncomingMessage,
  body: string,
  forward: string,
): Promise<{ status: number; text: string }> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string' && !notPassed.has(name)) headers[name] = value
  // Prints only the host, as the rest of the URL may contain a key.
  const { host } = new URL(forward)
  try {
    const answer = await forwardRequest(forward, { method: 'POST', headers, body })
    await answer.body.dump()
    return { status: answer.statusCode, text: `${host} answered ${answer.statusCode}` }
  } catch (error) {
    const code = errorCode(error)
    return { status: 502, text: `${host} cannot be reached (${code ? connectionMessages(code) : 'no answer'})` }
  }
}
