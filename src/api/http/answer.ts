/** What a request is answered with, before the parts that every answer carries are added. */
export type Answer = {
  status: number
  /** Names in lower case and values by turns, as `ServerResponse.writeHead` takes them. */
  headers: string[]
  body: Buffer | null
  /** A body that is read while it is sent, and not compressed; `body` is null then. */
  stream?: AnswerStream
}

/** Either `open` or `discard` is called, once. */
export type AnswerStream = {
  /** Cancelled where the client leaves. */
  open(): ReadableStream<Uint8Array>
  /** It waits for what happens: it does not take turns with other answers of the key. */
  isLive?: true
  /** Nobody reads it, as of a request with HEAD. */
  discard(): void
}

export const jsonType = 'application/json; charset=utf-8'

export function jsonAnswer(status: number, value: unknown, headers: string[] = []): Answer {
  return { status, headers: ['content-type', jsonType, ...headers], body: Buffer.from(JSON.stringify(value)) }
}

/** Value of a header of an answer. */
export function headerOf(answer: Answer, name: string): string | undefined {
  for (let i = 0; i < answer.headers.length; i += 2) if (answer.headers[i] === name) return answer.headers[i + 1]
  return undefined
}

/** A text as the value of a header, which may contain only printable ASCII; at most 300 characters. */
export function headerSafe(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, '?').slice(0, 300)
}
