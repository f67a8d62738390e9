import { createHmac, timingSafeEqual } from 'node:crypto'
import { isAnyArrayBuffer, isUint8Array } from 'node:util/types'

/** The body of a webhook. Every number but `retries` is a decimal string; every list is present, even if empty. */
export type WebhookBody = {
  /** true: sent after the chain's confirmations; false: sent at the head, where a reorganisation may remove the block. */
  confirmed: boolean
  chainId: string
  abi: unknown[]
  /** Empty: the body is that of the test webhook, whose texts and lists are all empty. */
  streamId: string
  tag: string
  /** Failed attempts before this one. */
  retries: number
  block: { number: string; hash: string; timestamp: string }
  logs: Record<string, string | null>[]
  txs: Record<string, string | null>[]
  txsInternal: Record<string, string | null>[]
  erc20Transfers: Record<string, unknown>[]
  erc20Approvals: Record<string, unknown>[]
  nftTransfers: Record<string, unknown>[]
  nftTokenApprovals: Record<string, unknown>[]
  nftApprovals: { ERC721: Record<string, unknown>[]; ERC1155: Record<string, unknown>[] }
  nativeBalances: Record<string, unknown>[]
  /** A reorganisation removed the block: discard its data. */
  reverted?: true
  /** The `webhook-id` of the reverted webhook. */
  revertedWebhookId?: string
}

/** A webhook with a valid signature. */
export type VerifiedWebhook = {
  /** The same for every attempt and replay: ignore a webhook whose id you handled before. */
  id: string
  sentAt: Date
  body: WebhookBody
}

export type WebhookHeaders =
  | { get(name: string): string | null }
  | Record<string, string | readonly string[] | undefined>

export type VerifyOptions = {
  /** Most seconds that the timestamp may be in the past or future; default: 300. */
  toleranceSeconds?: number
  /** Milliseconds since 1970; default: the clock. */
  now?: number
}

export type WebhookFault = 'missing_header' | 'timestamp' | 'signature' | 'body'

/** The request is not a webhook that the holder of the secret sent now. Answer 401, and do nothing else. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly code = 'WEBHOOK_VERIFICATION'
  /** The status that Express, Fastify and Koa answer if a handler throws it. */
  readonly statusCode = 401
  readonly fault: WebhookFault

  constructor(fault: WebhookFault, message: string) {
    super(message)
    this.fault = fault
  }
}

/** `verifyWebhook` was called with arguments that no request could match: fix the receiving program. Answer 500. */
export class WebhookArgumentError extends TypeError {
  override readonly name = 'WebhookArgumentError'
  readonly code = 'WEBHOOK_ARGUMENT'
}

/**
 * Checks the Standard Webhooks signature (`webhook-id`, `webhook-timestamp`, `webhook-signature`) of a request.
 * `body` is the text exactly as received, before parsing. `secret` is the stream's `webhookSecret` (`whsec_…`); several during rotation. Throws
 * WebhookVerificationError, or WebhookArgumentError if no request could be valid.
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): VerifiedWebhook {
  const text = textOf(body)
  const secrets = secretsOf(secret)
  const { toleranceSeconds, now } = numbersOf(options)
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
    throw new WebhookArgumentError(`the headers are ${kindOf(headers)}: give those of the request, as request.headers`)
  const id = header(headers, 'webhook-id')
  // The signature covers id.timestamp.body, so a dot in the id would make its parts ambiguous.
  if (id.includes('.'))
    throw new WebhookVerificationError('signature', 'webhook-id contains a dot, as no id of Mintmark')
  const timestamp = header(headers, 'webhook-timestamp')
  const signatures = header(headers, 'webhook-signature').split(' ')
  const sentAt = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1_000 : Number.NaN
  if (!(Math.abs(now - sentAt) <= toleranceSeconds * 1_000))
    throw new WebhookVerificationError(
      'timestamp',
      `webhook-timestamp is more than ${toleranceSeconds} s from the current time`,
    )
  const expected = secrets.map((one) => Buffer.from(sign(one, `${id}.${timestamp}.${text}`)))
  const given = signatures.map((one) => Buffer.from(one))
  if (!expected.some((one) => given.some((other) => one.length === other.length && timingSafeEqual(one, other))))
    throw new WebhookVerificationError('signature', 'no signature in webhook-signature is valid')
  return { id, sentAt: new Date(sentAt), body: parse(text) }
}

/** The body as text. The type is checked here, as JavaScript callers have no types. */
function textOf(body: unknown): string {
  if (typeof body === 'string') return body
  // Bytes of another realm, as under Jest, fail `instanceof Uint8Array`.
  if (isUint8Array(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
  if (isAnyArrayBuffer(body)) return Buffer.from(body).toString('utf8')
  const kind = kindOf(body)
  throw new WebhookArgumentError(
    `the body is ${kind === 'an object' ? 'an object that was parsed already' : kind}: give the text or bytes of the request as they came, before anything parses them (in Express: express.raw({ type: 'application/json' }))`,
  )
}

/** Bytes of the shortest secret of Standard Webhooks. A shorter text was truncated, and would match no signature. */
const leastSecretBytes = 24

function secretsOf(secret: unknown): string[] {
  const secrets: unknown[] = Array.isArray(secret) ? secret : [secret]
  if (secrets.length === 0)
    throw new WebhookArgumentError('the list of secrets is empty: give the webhookSecret of the stream (whsec_…)')
  return secrets.map((one) => {
    const isText = typeof one === 'string' && one !== ''
    if (isText && /^(whsec_)?[A-Za-z0-9+/]+={0,2}$/.test(one) && keyOf(one).length >= leastSecretBytes) return one
    // The message never contains the secret itself.
    throw new WebhookArgumentError(
      `the secret is ${isText ? 'not a webhookSecret' : kindOf(one)}: give the webhookSecret of the stream, whsec_ and base64; is its environment variable set?`,
    )
  })
}

/** The checked options: with a tolerance that is not a number every webhook would be valid, or none. */
function numbersOf(options: VerifyOptions): Required<VerifyOptions> {
  if (typeof options !== 'object' || options === null)
    throw new WebhookArgumentError(`the options are ${kindOf(options)}: give { toleranceSeconds, now }, or omit them`)
  const { toleranceSeconds = 300, now = Date.now() } = options
  if (typeof toleranceSeconds !== 'number' || !(toleranceSeconds >= 0))
    throw new WebhookArgumentError(
      `toleranceSeconds is ${kindOf(toleranceSeconds)}: give seconds from 0 on, or omit it for 300`,
    )
  if (typeof now !== 'number' || Number.isNaN(now))
    throw new WebhookArgumentError(
      `now is ${kindOf(now)}: give milliseconds since 1970, as Date.now(), or omit it for the clock`,
    )
  return { toleranceSeconds, now }
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null || typeof value === 'number') return String(value)
  if (value === '') return 'empty'
  if (typeof value !== 'object') return `a ${typeof value}`
  if (Array.isArray(value)) return 'a list'
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1)
  return kind === 'Object' ? 'an object' : `of the kind ${kind}`
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
}

function sign(secret: string, content: string): string {
  return `v1,${createHmac('sha256', keyOf(secret)).update(content).digest('base64')}`
}

function header(headers: WebhookHeaders, name: string): string {
  const get = headers.get
  const value =
    typeof get === 'function'
      ? get.call(headers, name)
      : Object.entries(headers as Record<string, unknown>).find(([key]) => key.toLowerCase() === name)?.[1]
  const text = Array.isArray(value) ? value[0] : value
  if (typeof text === 'string' && text !== '') return text
  throw new WebhookVerificationError('missing_header', `the header ${name} is missing`)
}

function parse(text: string): WebhookBody {
  try {
    return JSON.parse(text) as WebhookBody
  } catch {
    throw new WebhookVerificationError('body', 'the body is not JSON')
  }
}
