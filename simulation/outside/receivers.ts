import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { WebhookBody } from '../../src/webhook.ts'
import { createRandom } from '../../test/random.ts'
import type { Journal } from '../journal.ts'

/** How a receiver ends an attempt. */
type Fate = 'taken' | 'slow' | 'error' | 'limit' | 'redirect' | 'cut' | 'hang'

/** An attempt as the receiver saw it. `end`: when it responded or the connection closed. */
export type Attempt = {
  id: string
  retries: number
  start: number
  end: number
  /** unknown: the sender disconnected before it got the response. */
  outcome: 'delivered' | 'failed' | 'unknown'
  /** The status of the response; undefined: there was none, or the receiver closed the connection. */
  code: number | undefined
}

/** Everything that arrived for one stream, by the path of its webhook URL. */
export type Inbox = {
  attempts: Attempt[]
  /** The body of each id without `retries`, and the place of its first attempt in `order`. */
  bodies: Map<string, { text: string; body: WebhookBody; first: number }>
  /** Ids in the order of their first attempts. */
  order: string[]
}

export type Receivers = {
  url: string
  inbox(path: string): Inbox
  /** Makes most attempts fail instead of a few. */
  misbehave(isBad: boolean): void
  close(): Promise<void>
}

/** The secret of every stream. */
export const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** Whether the Standard Webhooks signature is correct. It does not use the product's code. */
function isSigned({ headers }: IncomingMessage, text: string): boolean {
  const signed = createHmac('sha256', Buffer.alloc(32, 7))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`)
    .digest('base64')
  return headers['webhook-signature'] === `v1,${signed}`
}

const usual: Fate[] = [...Array<Fate>(30).fill('taken'), 'slow', 'error', 'cut']
const bad: Fate[] = ['taken', 'slow', 'error', 'error', 'limit', 'redirect', 'cut', 'hang']

/** Starts the receiver of all streams, a real server. The seed, the id and the attempt decide how it ends each attempt. */
export async function startReceivers(seed: number, journal: Journal): Promise<Receivers> {
  const inboxes = new Map<string, Inbox>()
  const inboxOf = (path: string) => {
    const inbox = inboxes.get(path) ?? { attempts: [], bodies: new Map(), order: [] }
    inboxes.set(path, inbox)
    return inbox
  }
  let isBad = false

  function fateOf(id: string, retries: number): Fate {
    const number = [...id].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) >>> 0, seed + retries)
    return createRandom(number).pick(isBad ? bad : usual)
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const start = journal.now()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const body = JSON.parse(text) as WebhookBody
    // Test webhooks do not count.
    if (body.streamId === '') return void response.writeHead(200).end()
    const id = String(request.headers['webhook-id'])
    const fate = fateOf(id, body.retries)
    const attempt: Attempt = {
      ...{ id, retries: body.retries, start, end: Number.POSITIVE_INFINITY },
      ...{ outcome: 'unknown', code: codes[fate] },
    }
    note(inboxOf(request.url ?? '/'), attempt, text, body)
    if (!isSigned(request, text)) journal.fault('3 streams', `the signature of ${id} is wrong`)
    const closed = new Promise<false>((resolve) => response.once('close', () => resolve(false)))
    const finished = new Promise<true>((resolve) => response.once('finish', () => resolve(true)))
    await answer(fate, response)
    const isGiven = await Promise.race([finished, closed])
    attempt.end = journal.now()
    if (fate === 'hang' || fate === 'cut') attempt.outcome = 'failed'
    else if (isGiven) attempt.outcome = fate === 'taken' || fate === 'slow' ? 'delivered' : 'failed'
  }

  function note(inbox: Inbox, attempt: Attempt, text: string, body: WebhookBody): void {
    inbox.attempts.push(attempt)
    const same = text.replace(/"retries":\d+/, '')
    const known = inbox.bodies.get(attempt.id)
    if (!known) {
      inbox.bodies.set(attempt.id, { text: same, body, first: inbox.order.push(attempt.id) - 1 })
      if (body.reverted) journal.count('retractions')
      if (body.txs.length > 0) journal.count('webhooks with transactions')
    } else if (known.text !== same)
      journal.fault(
        '3 streams',
        `the id ${attempt.id} names two bodies: ${known.text.slice(0, 200)} and ${same.slice(0, 200)}`,
      )
  }

  const server = createServer((request, response) => {
    // The sender was killed while it sent the request, so nothing was received.
    take(request, response).catch(() => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    inbox: inboxOf,
    misbehave: (next) => {
      isBad = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const codes: Record<Fate, number | undefined> = {
  ...{ taken: 200, slow: 204, error: 500, limit: 429, redirect: 302, cut: undefined, hang: undefined },
}

/** Every response except a hang comes long before the sender's timeout, so that both sides see the same outcome. */
async function answer(fate: Fate, response: ServerResponse): Promise<void> {
  if (fate === 'hang') return
  if (fate === 'cut') return void response.destroy()
  if (fate === 'slow') await wait(300)
  const headers: Record<string, string> =
    fate === 'limit' ? { 'retry-after': '1' } : fate === 'redirect' ? { location: '/elsewhere' } : {}
  response.writeHead(codes[fate]!, headers).end()
}
