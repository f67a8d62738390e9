import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, buildConnector, request } from 'undici'
import { skipInterim } from '../../../util/http/skipInterim.ts'
import { shareCalls } from '../../../util/shareCalls.ts'
import { joinUrl } from '../../../util/urls/endpointUrls.ts'
import { type PreviewStore, PreviewStoreError, parseKey } from './previewStore.ts'

export type S3Settings = {
  /** Such as https://s3.eu-central-1.amazonaws.com. */
  endpoint: string
  region: string
  bucket: string
  /** Prefix of every key, such as `mintmark/`. */
  prefix: string
  accessKeyId: string
  secretAccessKey: string
  /** The bucket is in the path, which every S3-compatible store accepts, not in the host name. */
  pathStyle: boolean
}

const attempts = 3
const timeoutMs = 10_000

/** Key of an object beside the previews, by which the store tests its read access; previews never have such a key. */
const probeKey = 'readable'

/** How long the right to read is cached, in milliseconds. */
const rightMs = 60_000

/** Longer than any preview. */
const maxObjectBytes = 8_388_608

/** Bytes of a kept file per request, so that no request stays open while a client is slow. */
const partBytes = 1_048_576

/** The slowest upload of a kept file, in bytes a millisecond. */
const slowestUpload = 1_000

type Job = {
  method: 'GET' | 'PUT'
  key: string
  body: Buffer | null
  contentType?: string
  /** Inclusive byte range of the object. */
  range?: string
}

type Answer = { status: number; contentType: string; bytes: Buffer; contentRange: string }

/** A bucket of Amazon S3 or a compatible store; requests are signed with AWS Signature Version 4. */
export function createS3Store(settings: S3Settings, options: { retryDelayMs?: number } = {}): PreviewStore {
  const { region, accessKeyId, secretAccessKey } = settings
  const { retryDelayMs = 200 } = options
  const agent = new Agent({
    connections: 32,
    connect: skipInterim(buildConnector({})),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: maxObjectBytes,
  })
  const base = bucketUrl(settings)

  async function sendOnce({ method, key, body, contentType, range }: Job): Promise<Answer> {
    const ms = timeoutMs + Math.ceil((body?.length ?? 0) / slowestUpload)
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    const signer = new AwsV4Signer({
      method,
      url: joinUrl(base, key).href,
      headers: { 'x-amz-content-sha256': hash, ...(contentType ? { 'content-type': contentType } : {}) },
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
    })
    const { url, headers } = await signer.sign()
    const response = await request(url, {
      method,
      headers: { ...Object.fromEntries(headers as Headers), ...(range && { range }) },
      body,
      dispatcher: agent,
      headersTimeout: ms,
      signal: AbortSignal.timeout(ms),
    })
    return {
      status: response.statusCode,
      contentType: String(response.headers['content-type'] ?? ''),
      bytes: Buffer.from(await response.body.arrayBuffer()),
      contentRange: String(response.headers['content-range'] ?? ''),
    }
  }

  /** Sends a request, with retries after connection errors, 429 and 5xx. */
  async function send(job: Job): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const result = await sendOnce(job).catch(
        (cause: unknown) => new PreviewStoreError('the bucket cannot be reached', { cause }),
      )
      const passing = result instanceof PreviewStoreError || result.status === 429 || result.status >= 500
      if (passing && attempt < attempts) await delay(retryDelayMs * 4 ** (attempt - 1) * (0.5 + Math.random() / 2))
      else if (result instanceof PreviewStoreError) throw result
      else return result
    }
  }

  /** Whether this key may read objects, until when that counts. */
  let right = { mayRead: false, until: 0 }
  const probing = shareCalls<boolean>()

  function remember(mayRead: boolean): boolean {
    right = { mayRead, until: performance.now() + rightMs }
    return mayRead
  }

  /**
   * Whether this key may read objects of the bucket. If it may not list them, a missing object has the same response as a forbidden one. So only an
   * existing object shows that; reads one unless any was read within the last minute.
   */
  async function mayRead(): Promise<boolean> {
    if (performance.now() < right.until) return right.mayRead
    const probe = { key: probeKey, body: Buffer.from('mintmark'), contentType: 'text/plain' }
    const isRead = async () => (await send({ method: 'GET', key: probeKey, body: null })).status === 200
    return probing('', async () =>
      remember((await isRead()) || ((await send({ method: 'PUT', ...probe })).status === 200 && (await isRead()))),
    )
  }

  /** An object, or a part of it; undefined: it does not exist. */
  async function read(key: string, range?: string): Promise<Answer | undefined> {
    parseKey(key)
    const answer = await send({ method: 'GET', key, body: null, ...(range !== undefined && { range }) })
    if (answer.status === 404 && codeOf(answer) !== 'NoSuchBucket') return undefined
    // If the key may not list the bucket, a missing object has this response too.
    if (answer.status === 403 && codeOf(answer) === 'AccessDenied' && (await mayRead())) return undefined
    if (answer.status !== (range === undefined ? 200 : 206)) throw rejected('GET', answer)
    remember(true)
    return answer
  }

  async function readPart(key: string, from: number, to: number): Promise<Buffer> {
    const answer = await read(key, `bytes=${from}-${to - 1}`)
    if (answer?.bytes.length === to - from) return answer.bytes
    throw new PreviewStoreError(`the bucket has no bytes ${from} to ${to - 1} of a kept file`)
  }

  return {
    async put(key, bytes, contentType) {
      parseKey(key)
      const answer = await send({ method: 'PUT', key, body: bytes, contentType })
      if (answer.status !== 200) throw rejected('PUT', answer)
    },
    async get(key) {
      const answer = await read(key)
      return answer && { bytes: answer.bytes, contentType: answer.contentType }
    },
    async open(key) {
      const first = await read(key, 'bytes=0-0')
      if (!first) return undefined
      const bytes = Number(/\/(\d{1,15})$/.exec(first.contentRange)?.[1])
      if (Number.isNaN(bytes)) throw new PreviewStoreError('the bucket did not return the length of a kept file')
      return { bytes, open: ({ from, to }) => inParts(from, to, (at, end) => readPart(key, at, end)), discard() {} }
    },
    close: () => agent.close(),
  }
}

/** The bytes from `from` to before `to`, one chunk at a time as they are read. */
function inParts(
  from: number,
  to: number,
  read: (from: number, to: number) => Promise<Buffer>,
): ReadableStream<Uint8Array> {
  let at = from
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await read(at, Math.min(to, at + partBytes))
        at += chunk.length
        controller.enqueue(chunk)
        if (at >= to) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Base address of the keys. */
export function bucketUrl(settings: Pick<S3Settings, 'endpoint' | 'bucket' | 'prefix' | 'pathStyle'>): URL {
  const { endpoint, bucket, prefix, pathStyle } = settings
  const url = new URL(endpoint)
  if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`
  const parts = [pathStyle ? bucket : '', prefix.replace(/^\/+|\/+$/g, '')]
  return joinUrl(url, parts.filter((part) => part !== '').join('/'))
}

/** The code of an error, such as AccessDenied, in S3's XML. */
function codeOf({ bytes }: Answer): string | undefined {
  return /<Code>([A-Za-z]{1,64})<\/Code>/.exec(bytes.toString('latin1').slice(0, 2_000))?.[1]
}

function rejected(method: string, answer: Answer): PreviewStoreError {
  const code = codeOf(answer)
  return new PreviewStoreError(`the bucket answered ${answer.status}${code ? ` ${code}` : ''} to ${method}`)
}
