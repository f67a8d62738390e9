import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { DecodedRange } from '../../chain/evm/source/requestLogs.ts'
import type { EvmSource, LogDecoder, LogRange } from '../../chain/evm/source/source.ts'
import type { Log } from '../../util/log.ts'
import { ThreadError } from '../../util/threads/threadPool.ts'
import type { CollectionKey } from '../transfers/transferGroup.ts'
import type { DecodeThreads } from './createDecodeThreads.ts'
import type { PreparedLogs } from './prepareLogs.ts'

/** Consecutive failures after which threads are not used any more. */
const mostFailures = 3

/** Uses threads. If these keep failing, the main thread decodes, so that history continues. */
export type DecodedReader = {
  /**
   * Reads logs of a range or a prefix of it, decoded if there is a decoder and `isNeeded` does not need raw logs. If a
   * thread fails, the range is read again at half width, as it may have been too much.
   */
  read<T>(
    range: LogRange,
    decoder: LogDecoder<T> | undefined,
    signal: AbortSignal,
    options: { isNeeded(decoded: T): boolean },
  ): Promise<DecodedRange<T>>
  /** Logs that were parsed here, prepared by a thread. undefined: there is none, it failed, or it is not worth it. */
  prepare(logs: readonly RpcLog[], collection: CollectionKey, signal: AbortSignal): Promise<PreparedLogs | undefined>
}

export function createDecodedReader(options: {
  source: Pick<EvmSource, 'logs'>
  decoding?: Pick<DecodeThreads, 'prepare'> | undefined
  log: Log
}): DecodedReader {
  const { source, decoding, log } = options
  let failures = 0

  function noteFailure(err: unknown, signal: AbortSignal, fields: object): void {
    if (!(err instanceof ThreadError) || signal.aborted) throw err
    failures++
    log.warn({ ...fields, failures, err }, 'decode thread failed')
  }

  return {
    async read(range, decoder, signal, { isNeeded }) {
      let { to } = range
      for (;;) {
        try {
          const answer = await source.logs({ ...range, to }, signal, failures < mostFailures ? decoder : undefined)
          if (answer.decoded === undefined) return answer
          failures = 0
          if (!isNeeded(answer.decoded.of)) return answer
          return await source.logs({ ...range, to: answer.to }, signal)
        } catch (err) {
          const { address, from } = range
          noteFailure(err, signal, { collection: address, from: String(from), to: String(to) })
          to = from + (to - from) / 2n
        }
      }
    },
    async prepare(logs, collection, signal) {
      if (failures >= mostFailures) return undefined
      try {
        const prepared = await decoding?.prepare(logs, collection, signal)
        if (prepared) failures = 0
        return prepared
      } catch (err) {
        noteFailure(err, signal, { collection: collection.address, logs: logs.length })
        return undefined
      }
    },
  }
}
