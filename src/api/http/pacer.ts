import { relay } from './answer.ts'

/** Shares the sending of streamed answers fairly among API keys. */
export type Pacer = {
  /** The same bytes; all streams of the key together send one part at a time. */
  pace(keyId: bigint, stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>
}

/**
 * Between two parts of one key, the event loop accepts new requests. So a page of another key waits for one part per
 * key, however many connections each key reads from.
 */
export function createPacer(): Pacer {
  /** By key that is sending: the end of its last time slice. */
  const ends = new Map<bigint, Promise<void>>()

  async function serially<T>(keyId: bigint, read: () => Promise<T>): Promise<T> {
    const before = ends.get(keyId)
    const { promise, resolve } = Promise.withResolvers<void>()
    ends.set(keyId, promise)
    await before
    try {
      return await read()
    } finally {
      // A single stream waits for nothing.
      if (ends.get(keyId) === promise) ends.delete(keyId)
      else setImmediate(resolve)
    }
  }

  return {
    pace(keyId, stream) {
      const reader = stream.getReader()
      return relay(reader, () => serially(keyId, () => reader.read()))
    },
  }
}
