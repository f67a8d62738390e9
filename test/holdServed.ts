import { type IncomingMessage, ServerResponse } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { undocumented } from './documentedAnswers.ts'

type Head = { status: number; headers: Headers }
type WriteHead = (this: ServerResponse, status: number, ...more: unknown[]) => ServerResponse
type End = (this: ServerResponse<IncomingMessage>, ...given: unknown[]) => ServerResponse

/** For each operation and status, this many responses are checked, then every hundredth: some tests send ten thousand requests. */
const mostRead = 50
const thenEvery = 100

/**
 * Validates responses of all servers in this process against openapi.json from now on, whichever client requests them.
 * This includes responses from the cache. Servers that send no `x-request-id` are not Mintmark and are skipped.
 * `onFault` is called with each error; the response is sent anyway.
 */
export function holdServed(onFault: (fault: string) => void): void {
  const heads = new WeakMap<ServerResponse, Head>()
  const answers = new Map<string, number>()
  const { prototype } = ServerResponse
  const writeHead = prototype.writeHead as WriteHead
  const end = prototype.end as End

  function isRead(kind: string): boolean {
    const before = answers.get(kind) ?? 0
    answers.set(kind, before + 1)
    return before < mostRead || before % thenEvery === 0
  }

  Object.assign(prototype, {
    writeHead(this: ServerResponse, status: number, ...more: unknown[]) {
      const headers = headersOf(more.find((one) => typeof one === 'object' && one !== null))
      if (headers.has('x-request-id')) heads.set(this, { status, headers })
      return writeHead.call(this, status, ...more)
    },
    end(this: ServerResponse<IncomingMessage>, ...given: unknown[]) {
      const head = heads.get(this)
      heads.delete(this)
      const { method = 'GET', url = '/' } = this.req
      const path = url.split('?', 1)[0]!
      // Paths that differ only in addresses, numbers and ids count as one operation.
      const kind = `${method} ${path.replaceAll(/0x\w+|\d+|[\w-]{36,}/g, '*')} ${head?.status}`
      if (head && isRead(kind)) {
        const text = method === 'HEAD' ? undefined : textOf(given[0], head.headers.get('content-encoding'))
        for (const fault of undocumented({ method, path, ...head, ...(text && { text }) })) onFault(fault)
      }
      return end.call(this, ...given)
    },
  })
}

/** Alternating names and values, or a record of them. */
function headersOf(given: unknown): Headers {
  const headers = new Headers()
  if (Array.isArray(given)) for (let i = 0; i < given.length; i += 2) headers.append(given[i], given[i + 1])
  else for (const [name, value] of Object.entries(given ?? {})) headers.append(name, String(value))
  return headers
}

function textOf(body: unknown, encoding: string | null): string | undefined {
  if (typeof body === 'string') return body
  if (!(body instanceof Uint8Array) || body.length === 0) return undefined
  const bytes =
    encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : Buffer.from(body)
  return bytes.toString('utf8')
}
