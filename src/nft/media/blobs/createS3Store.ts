import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, buildConnector, request } from 'undici'
import { skipInterim } from '../../../util/http/skipInterim.ts'
import { joinUrl } from '../../../util/urls/endpointUrls.ts'
import { createReadRight } from './createReadRight.ts'
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
  /** The bucket is in the path, which every such store takes, and not in front of the host's name. */
  pathStyle: boolean
}

const attempts = 3
const timeoutMs = 10_000

/** Key of an object beside the previews, by which the store finds out whether it may read; no preview has such a key. */
const probeKey = 'readable'

/** Longer than any preview. */
const maxObjectBytes = 8_388_608

type Job = { method: 'GET' | 'PUT'; key: string; body: Buffer | null; contentType?: string }

type Answer = { status: number; contentType: string; bytes: Buffer }

/** A bucket of Amazon S3 or of anything that speaks like it; requests signed with AWS Signature Version 4. */
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

  async function sendOnce({ method, key, body, contentType }: Job): Promise<Answer> {
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
      headers: Object.fromEntries(headers as Headers),
      body,
      dispatcher: agent,
      signal: AbortSignal.timeout(timeoutMs),
    })
    return {
      status: response.statusCode,
      contentType: String(response.headers['content-type'] ?? ''),
      bytes: Buffer.from(await response.body.arrayBuffer()),
    }
  }

  /** Sends a request, and again after a broken connection, 429 and 5xx. */
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

  const probe = { key: probeKey, body: Buffer.from('mintmark'), contentType: 'text/plain' }
  const readRight = createReadRight(async () => {
    const isRead = async () => (await send({ method: 'GET', key: probeKey, body: null })).status === 200
    return (await isRead()) || ((await send({ method: 'PUT', ...probe })).status === 200 && (await isRead()))
  })

  return {
    async put(key, bytes, contentType) {
      parseKey(key)
      const answer = await send({ method: 'PUT', key, body: bytes, contentType })
      if (answer.status !== 200) throw refused('PUT', answer)
    },
    async get(key) {
      parseKey(key)
      const answer = await send({ method: 'GET', key, body: null })
      if (answer.status === 404 && codeOf(answer) !== 'NoSuchBucket') return undefined
      // Where the key may not list the bucket, this is the answer for a missing object too.
      if (answer.status === 403 && codeOf(answer) === 'AccessDenied' && (await readRight.has())) return undefined
      if (answer.status !== 200) throw refused('GET', answer)
      readRight.seen()
      return { bytes: answer.bytes, contentType: answer.contentType }
    },
    close: () => agent.close(),
  }
}

/** Base address of the keys. */
export function bucketUrl(settings: Pick<S3Settings, 'endpoint' | 'bucket' | 'prefix' | 'pathStyle'>): URL {
  const { endpoint, bucket, prefix, pathStyle } = settings
  const url = new URL(endpoint)
  if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`
  const parts = [pathStyle ? bucket : '', prefix.replace(/^\/+|\/+$/g, '')]
  return joinUrl(url, parts.filter((part) => part !== '').join('/'))
}

/** The code of an error, such as AccessDenied, which S3 answers in XML. */
function codeOf({ bytes }: Answer): string | undefined {
  return /<Code>([A-Za-z]{1,64})<\/Code>/.exec(bytes.toString('latin1').slice(0, 2_000))?.[1]
}

function refused(method: string, answer: Answer): PreviewStoreError {
  const code = codeOf(answer)
  return new PreviewStoreError(`the bucket answered ${answer.status}${code ? ` ${code}` : ''} to ${method}`)
}
