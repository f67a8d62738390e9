import type { DecodedRange } from '../../chain/evm/source/requestLogs.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import type { BlockRange } from '../../sync/blockRange.ts'
import type { Log } from '../../util/log.ts'
import type { DueCollection } from '../store/collectionStore.ts'
import { topicsOf } from '../transfers/decodeTransfers.ts'
import { createDecodedReader } from './createDecodedReader.ts'
import type { DecodeThreads } from './createDecodeThreads.ts'
import type { PreparedLogs } from './prepareLogs.ts'

/** The first logs of a collection, requested before its history is read. */
export type EarlyRead = {
  /**
   * The answer, once, if it is of a prefix of this range. Undefined also if it failed, or if raw logs are needed instead of decoded ones: then the
   * range is to be read again.
   */
  take(range: BlockRange, isNeeded: (decoded: PreparedLogs) => boolean): Promise<DecodedRange<PreparedLogs> | undefined>
}

export type EarlyReadOptions = {
  source: Pick<EvmSource, 'logs'>
  decoding: Pick<DecodeThreads, 'decoderOf'>
  log: Log
  signal: AbortSignal
}

/** Requests the first logs of a range at once. undefined: the range is empty, as of a contract that was deployed after the final block. */
export function readEarly(
  { source, decoding, log, signal }: EarlyReadOptions,
  subject: Pick<DueCollection, 'partition' | 'id' | 'chainId' | 'address' | 'form' | 'coins'>,
  requested: BlockRange,
): EarlyRead | undefined {
  if (requested.from > requested.to) return undefined
  const { partition, id, chainId, address, form, coins } = subject
  const decoder = form ? decoding.decoderOf({ partition, id, chainId, address, ...form }) : undefined
  const topics = topicsOf(form ? form.standard === 'ERC1155' : coins)
  const { read } = createDecodedReader({ source, log })
  let pending: Promise<DecodedRange<PreparedLogs> | undefined> | undefined = read(
    { address, topics, ...requested },
    decoder,
    signal,
    { isNeeded: () => false },
  ).catch(() => undefined)

  return {
    async take({ from, to }, isNeeded) {
      if (from !== requested.from) return undefined
      const answer = await pending
      pending = undefined
      if (!answer || answer.to > to || (answer.decoded && isNeeded(answer.decoded.of))) return undefined
      return answer
    },
  }
}
