import type { DecodedRange } from '../../chain/evm/source/askLogs.ts'
import type { EvmSource, LogDecoder, LogRange } from '../../chain/evm/source/source.ts'
import type { Log } from '../../util/log.ts'
import { ThreadError } from '../../util/threadPool.ts'

/** After so many failures of threads in a row the collection waits before its history is read on. */
const mostFailures = 4

/**
 * Reads logs of a range or of a prefix of it, decoded where there is a decoder and `isNeeded` does not want the logs themselves. Where a
 * thread fails, the range is read again, half as wide: it may have been too much for the thread.
 */
export async function readDecoded<T>(
  { source, log, decoder }: { source: Pick<EvmSource, 'logs'>; log: Log; decoder: LogDecoder<T> | undefined },
  range: LogRange,
  signal: AbortSignal,
  { isNeeded }: { isNeeded(decoded: T): boolean },
): Promise<DecodedRange<T>> {
  let { to } = range
  for (let failures = 1; ; failures++) {
    try {
      const answer = await source.logs({ ...range, to }, signal, decoder)
      if (answer.decoded === undefined || !isNeeded(answer.decoded.of)) return answer
      return await source.logs({ ...range, to: answer.to }, signal)
    } catch (err) {
      if (!(err instanceof ThreadError) || failures === mostFailures || signal.aborted) throw err
      const { address, from } = range
      log.warn({ collection: address, from: String(from), to: String(to), err }, 'decode thread failed')
      to = from + (to - from) / 2n
    }
  }
}
