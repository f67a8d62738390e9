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

/**
 * Reads logs of a range or a prefix of it, decoded if there is a decoder and `isNeeded` does not need raw logs. If a
 * thread fails, the range is read again at half width, as it may have been too much. If threads keep failing, the main
 * thread decodes, so that history continues.
 */
export type DecodedReader = <T>(
  range: LogRange,
  decoder: LogDecoder<T> | undefined,
  signal: AbortSignal,
  options: { isNeeded(decoded: T): boolean },
) => Promise<DecodedRange<T>>

export function createDecodedReader({ source, log }: { source: Pick<EvmSource, 'logs'>; log: Log }): DecodedReader {
  let failures = 0

  return async (range, decoder, signal, { isNeeded }) => {
    let { to } = range
    for (;;) {
      try {
        const answer = await source.logs({ ...range, to }, signal, failures < mostFailures ? decoder : undefined)
        if (answer.decoded === undefined) return answer
        failures = 0
        if (!isNeeded(answer.decoded.of)) return answer
        return await source.logs({ ...range, to: answer.to }, signal)
      } catch (err) {
        if (!(err instanceof ThreadError) || signal.aborted) throw err
        failures++
        const { address, from } = range
        log.warn({ collection: address, from: String(from), to: String(to), failures, err }, 'decode thread failed')
        to = from + (to - from) / 2n
      }
    }
  }
}

/** Logs that were parsed here, prepared by a thread. undefined: there is none, it failed, or it is not worth it. */
export async function prepareElsewhere(
  { decoding, log }: { decoding?: Pick<DecodeThreads, 'prepare'>; log: Log },
  logs: readonly RpcLog[],
  collection: CollectionKey | undefined,
  signal: AbortSignal,
): Promise<PreparedLogs | undefined> {
  try {
    return collection && (await decoding?.prepare(logs, collection, signal))
  } catch (err) {
    if (!(err instanceof ThreadError)) throw err
    log.warn({ collection: collection?.address, logs: logs.length, err }, 'decode thread failed')
    return undefined
  }
}
