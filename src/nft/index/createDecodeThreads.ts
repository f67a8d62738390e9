import { extname } from 'node:path'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { DecodedReply, LogDecoder } from '../../chain/evm/source/source.ts'
import { createThreadPool } from '../../util/threads/threadPool.ts'
import type { CollectionKey } from '../transfers/transferGroup.ts'
import type { DecodeJob, DecodeResult } from './decodeWorker.ts'
import type { PreparedLogs } from './prepareLogs.ts'

/** Threads that decode node responses into rows. */
export type DecodeThreads = {
  /** Decodes the logs of a collection; undefined: there are no threads. */
  decoderOf(collection: CollectionKey): LogDecoder<PreparedLogs> | undefined
  /** Prepares logs that were parsed here, as `prepareLogs` does; undefined: not worth it, or there are no threads. */
  prepare(
    logs: readonly RpcLog[],
    collection: CollectionKey,
    signal: AbortSignal,
  ): Promise<PreparedLogs | undefined> | undefined
  /** Starts a thread if it saves time for responses of about this many logs. */
  warmUp(logs: number): void
  close(): Promise<void>
}

/** Parsing a shorter response takes less time than passing it to a thread. */
const shortestReply = 65_536

/** A thread takes 0.2 s to start. The main thread parses so few logs in 5 ms, and prepares them in 8 ms. */
const fewLogs = 1_000

/** Heap limit of a thread: the longest response has 64 MB, and 300 when parsed. */
const heapMegabytes = 512

/** A response of 5 MB takes 60 ms; a thread without a result after this time hangs. */
const timeoutMs = 120_000

/** `threads`: 0 for none. `program`: for tests. */
export function createDecodeThreads({ threads, program }: { threads: number; program?: URL }): DecodeThreads {
  if (threads === 0) {
    const none = () => undefined
    return { decoderOf: none, prepare: none, warmUp: none, close: async () => undefined }
  }
  // Source file in a clone, compiled file in an installed package.
  const own = new URL(`./decodeWorker${extname(import.meta.url)}`, import.meta.url)
  const pool = createThreadPool<DecodeJob, DecodeResult>({
    ...{ program: program ?? own, threads, heapMegabytes, timeoutMs },
  })
  return {
    decoderOf:
      (collection) =>
      ({ bytes, ...requested }, signal) => {
        if (bytes.length < shortestReply) return undefined
        const reply = ownedBytes(bytes)
        const job = { reply, collection, ...requested }
        return pool.run(job, { transfer: [reply.buffer], signal }) as Promise<DecodedReply<PreparedLogs>>
      },
    prepare: (logs, collection, signal) =>
      logs.length > fewLogs
        ? (pool.run({ logs, collection }, { signal }) as Promise<PreparedLogs | undefined>)
        : undefined,
    warmUp(logs) {
      if (logs > fewLogs) pool.warmUp()
    },
    close: pool.close,
  }
}

/** Bytes in their own memory. */
function ownedBytes(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes)
}
