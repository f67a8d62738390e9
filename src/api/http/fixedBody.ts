import type { Answer } from './answer.ts'
import { createEncodedBody, type EncodedBody, encode, encodingOf } from './encodedBody.ts'
import { bytesTag, matchesEtag } from './etag.ts'
import type { Exchange } from './route.ts'

/** A body that does not change while the process runs, with its headers. */
export type FixedBody = { body: EncodedBody; contentType: string; headers: string[] }

/**
 * `encoded`: forms that the build compressed, smaller than compression at run time. `vary`: request headers that select
 * the body.
 */
export function createFixedBody(
  bytes: Buffer,
  contentType: string,
  headers: string[],
  options: { encoded?: { br?: Buffer | undefined; gzip?: Buffer | undefined }; vary?: string | undefined } = {},
): FixedBody {
  const { encoded, vary = 'Accept-Encoding' } = options
  const etag = `W/${bytesTag(bytes)}`
  return { body: createEncodedBody(bytes, encoded), contentType, headers: ['etag', etag, 'vary', vary, ...headers] }
}

export async function answerFixed({ body, contentType, headers }: FixedBody, exchange: Exchange): Promise<Answer> {
  if (matchesEtag(exchange.header('if-none-match'), headers[1]!)) return { status: 304, headers, body: null }
  const encoding = encodingOf(body, exchange.encoding)
  const encoded = encoding === 'identity' ? [] : ['content-encoding', encoding]
  return {
    status: 200,
    headers: ['content-type', contentType, ...encoded, ...headers],
    body: await encode(body, encoding),
  }
}
