import { BadRequestError } from '../../util/errors.ts'
import { jsonNesting } from '../../util/jsonNesting.ts'
import { PayloadTooLargeError } from './errors.ts'

/** Size limit of bodies, unless the route sets another one. */
export const defaultBodyBytes = 1_048_576

/** Deepest nesting of a body: deeper than any operation needs, shallow enough for recursive code. */
const deepest = 64

/**
 * The JSON of a request's body; undefined for an empty body. Throws BadRequestError with the position of a syntax
 * error.
 */
export function parseRequestJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const text = decode(bytes)
  const { beyondAt } = jsonNesting(text, deepest)
  if (beyondAt !== undefined)
    throw fault(`is nested too deep at position ${beyondAt}; allowed: at most ${deepest} levels`)
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw fault(`is not JSON${placeOfFault(text, (error as SyntaxError).message)}; allowed: a JSON object`)
  }
}

/** The body of a request. Throws PayloadTooLargeError as soon as more than `maxBytes` arrive. */
export async function readBytes(body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Not `for await`, which cancels the body on an early exit and so ends the connection before the answer.
  const parts = body?.[Symbol.asyncIterator]()
  for (;;) {
    const part = await parts?.next().catch((cause: unknown) => {
      throw new BadRequestError('the connection was closed before the whole body arrived', { cause })
    })
    if (!part || part.done) return Buffer.concat(chunks, length)
    length += part.value.length
    if (length > maxBytes) throw new PayloadTooLargeError(`the body is too large; allowed: at most ${maxBytes} bytes`)
    chunks.push(part.value)
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw fault('is not UTF-8; allowed: JSON in UTF-8')
  }
}

/** Position at which the parser stopped. The rest of its message quotes the body, which may contain secrets. */
function placeOfFault(text: string, message: string): string {
  const position = /position (\d+)/.exec(message)?.[1] ?? (/Unexpected end/.test(message) ? text.length : undefined)
  return position === undefined ? '' : ` from position ${position} on`
}

function fault(what: string): BadRequestError {
  return new BadRequestError(`the body ${what}`, { details: { parameter: 'body' } })
}
