/** An answer before the headers that all answers share. */
export type Answer = {
  status: number
  /** Alternating names in lower case and values, as `ServerResponse.writeHead` takes them. */
  headers: string[]
  body: Buffer | null
  /** An uncompressed body that is read while it is sent; `body` is null then. */
  stream?: AnswerStream
}

/** Exactly one of `open` and `discard` is called, once. */
export type AnswerStream = {
  /** Cancelled when the client disconnects. */
  open(): ReadableStream<Uint8Array>
  /** It waits for events, so the pacer does not schedule it among other answers of the key. */
  isLive?: true
  /** Nobody reads it, as for HEAD. */
  discard(): void
}

/** A stream whose parts are those that `read` takes from `reader`, when they are requested; undefined: none. */
export function relay(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  read: () => Promise<Awaited<ReturnType<typeof reader.read>> | undefined>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await read()
        if (next?.done) controller.close()
        else if (next) controller.enqueue(next.value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
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

/** A text as a header value: printable ASCII, at most 300 characters. */
export function headerSafe(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, '?').slice(0, 300)
}
