import type { ApiCall } from '../../../api/apiCall.ts'
import { readPart } from '../../../api/sendCall.ts'

/** The lines of the response to `call` as they arrive. Leaving the loop cancels it. Throws ApiFault if the connection breaks. */
export async function* linesOf(
  call: ApiCall<unknown>,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await readPart(call, reader.read())
      if (done) break
      const lines = (rest + value).split('\n')
      rest = lines.pop()!
      yield* lines
    }
    if (rest) yield rest
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
