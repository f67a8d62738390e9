/** The lines of a stream as they arrive. Leaving the loop cancels it. */
export async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
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
