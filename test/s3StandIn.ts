import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type S3StandIn = {
  endpoint: string
  objects: Map<string, { bytes: Buffer; contentType: string }>
  /** Method and path of each request. */
  requests: string[]
  /** Statuses of the next responses, whatever the requests are. */
  faults: number[]
  /** The rights of the key. Without `list`, the response for a missing object is 403, as in S3. */
  rights: { read: boolean; write: boolean; list: boolean }
}

export const s3Key = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret/with+signs', region: 'eu-central-1' }
export const s3Bucket = 'previews'

/** Stores objects in memory, and verifies AWS Signature Version 4. The checks follow its specification. */
export async function startS3StandIn(): Promise<S3StandIn> {
  const objects: S3StandIn['objects'] = new Map()
  const requests: string[] = []
  const faults: number[] = []
  const rights = { read: true, write: true, list: true }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const path = request.url ?? ''
    requests.push(`${request.method} ${path}`)
    const fail = (status: number, code: string) => {
      response.writeHead(status, { 'content-type': 'application/xml' })
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
    }
    const fault = faults.shift()
    const rejection = faultOf(request, body)
    if (fault !== undefined) return fail(fault, 'SlowDown')
    if (rejection) return fail(403, rejection)
    if (!path.startsWith(`/${s3Bucket}/`)) return fail(404, 'NoSuchBucket')
    if (!(request.method === 'PUT' ? rights.write : rights.read)) return fail(403, 'AccessDenied')
    if (request.method === 'PUT') {
      objects.set(path.slice(s3Bucket.length + 2), { bytes: body, contentType: request.headers['content-type'] ?? '' })
      return response.writeHead(200).end()
    }
    const object = objects.get(path.slice(s3Bucket.length + 2))
    if (!object) return rights.list ? fail(404, 'NoSuchKey') : fail(403, 'AccessDenied')
    const { bytes, contentType } = object
    const [, from, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    if (from === undefined) return response.writeHead(200, { 'content-type': contentType }).end(bytes)
    if (Number(from) >= bytes.length) return fail(416, 'InvalidRange')
    const to = Math.min(Number(last) + 1, bytes.length)
    const range = `bytes ${from}-${to - 1}/${bytes.length}`
    return response
      .writeHead(206, { 'content-type': contentType, 'content-range': range })
      .end(bytes.subarray(Number(from), to))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, objects, requests, faults, rights }
}

/** The error code that S3 returns for a request whose signature, body hash or time is wrong. */
function faultOf(request: IncomingMessage, body: Buffer): string | undefined {
  const { headers } = request
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/
  const match = pattern.exec(headers.authorization ?? '')
  if (!match) return 'AccessDenied'
  const [, keyId, day, region, names = '', signature] = match
  if (keyId !== s3Key.accessKeyId) return 'InvalidAccessKeyId'
  if (region !== s3Key.region) return 'AuthorizationHeaderMalformed'
  const bodyHash = sha256(body)
  if (headers['x-amz-content-sha256'] !== bodyHash) return 'XAmzContentSHA256Mismatch'
  const time = String(headers['x-amz-date'])
  const [year, month, date, hour, minute, second] = splitTime(time)
  const sentAt = Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}Z`)
  if (!time.startsWith(day!) || Math.abs(Date.now() - sentAt) > 900_000) return 'RequestTimeTooSkewed'
  const signed = names.split(';')
  for (const name of ['host', 'x-amz-content-sha256', 'x-amz-date']) if (!signed.includes(name)) return 'AccessDenied'
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('')
  const canonical = [request.method, request.url, '', lines, names, bodyHash].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  let key: Buffer | string = `AWS4${s3Key.secretAccessKey}`
  for (const part of [day!, region!, 's3', 'aws4_request']) key = createHmac('sha256', key).update(part).digest()
  return createHmac('sha256', key).update(text).digest('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}

function splitTime(time: string): string[] {
  return /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time)?.slice(1) ?? []
}

function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}
