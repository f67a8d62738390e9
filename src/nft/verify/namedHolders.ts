import type { EvmSource } from '../../chain/evm/source/source.ts'
import type { Address } from '../../util/hex.ts'
import { decodeTransfers, type Standard, type Standards, transferTopics } from '../transfers/decodeTransfers.ts'
import { isErc1155, zeroAddress } from '../transfers/transfer.ts'

/** A recipient of a token in a log, who may hold it. */
export type NamedHolder = { tokenId: bigint; owner: Address; standard: Standard }

/** Holders per batch, enough for a few multicalls. */
const holdersAtOnce = 1_000

/**
 * All recipients of a contract's tokens in its logs up to block `to`, in any order and possibly repeated. Includes contracts of an old form, with ids
 * in the data of logs.
 */
export async function* namedHolders(options: {
  source: Pick<EvmSource, 'logs'>
  contract: Address
  standards: Standards
  from: bigint
  to: bigint
  /** The last block that was read. */
  onBlock: (block: bigint) => void
  signal: AbortSignal
}): AsyncGenerator<NamedHolder[]> {
  const { source, contract, standards, to, onBlock, signal } = options
  let batch: NamedHolder[] = []
  for (let from = options.from; from <= to; ) {
    const range = { address: contract, topics: [transferTopics], from, to }
    const answer = await source.logs(range, signal)
    const form = { standard: standards === 'both' ? 'ERC721' : standards, idInData: true } as const
    for (const transfer of decodeTransfers(answer.logs, form)) {
      if (transfer.to === zeroAddress) continue
      const standard = standards === 'both' ? (isErc1155(transfer) ? 'ERC1155' : 'ERC721') : standards
      batch.push({ tokenId: BigInt(transfer.tokenId), owner: `0x${transfer.to}`, standard })
      if (batch.length < holdersAtOnce) continue
      yield batch
      batch = []
    }
    onBlock(answer.to)
    from = answer.to + 1n
  }
  if (batch.length > 0) yield batch
}
