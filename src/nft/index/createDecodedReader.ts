import type { DecodedRange } from '../../chain/evm/source/requestLogs.ts'
import type { EvmSource, LogDecoder, LogRange } from '../../chain/evm/source/source.ts'
import type { Log } from '../../util/log.ts'
import { ThreadError } from '../../util/threads/threadPool.ts'

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
