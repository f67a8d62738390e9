/** Shares the sending of streamed answers among API keys. */
export type Pacer = {
  /** The same bytes, as fast as the parts of all streams of the key come one at a time. */
  pace(keyId: bigint, stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>
}

/**
 * Between two parts of one key the event loop takes new requests. So a page of another key waits for one part of each key, however
 * many connections each key reads from.
 */
export function createPacer(): Pacer {
  /** Of each key that sends something, the end of the last time slice. */
  const ends = new Map<bigint, Promise<void>>()

  async function inTurn<T>(keyId: bigint, read: () => Promise<T>): Promise<T> {
    const before = ends.get(keyId)
    const { promise, resolve } = Promise.withResolvers<void>()
    ends.set(keyId, promise)
    await before
    try {
      return await read()
    } finally {
      // Nothing to share: a stream alone is as fast as without turns.
      if (ends.get(keyId) === promise) ends.delete(keyId)
      else setImmediate(resolve)
    }
  }

  return {
    pace(keyId, stream) {
      const reader = stream.getReader()
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            const { done, value } = await inTurn(keyId, () => reader.read())
            if (done) controller.close()
            else controller.enqueue(value)
          },
          cancel: (reason) => reader.cancel(reason),
        },
        { highWaterMark: 0 },
      )
    },
  }
}
