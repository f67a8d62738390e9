import type { EvmChain } from '../chains.ts'
import type { HeaderReader } from './headerReader.ts'
import type { LogReaderOptions } from './logReader.ts'
import type { BlockSettler } from './settleBlock.ts'
import { DoubtfulAnswerError } from './sourceError.ts'

/** The logs of one contract in one block, taken from the block's receipts. `to` of the range is that block. */
export function createOneBlockSettler(options: {
  headers: HeaderReader
  settler: BlockSettler
  chain: EvmChain
}): LogReaderOptions['settleOne'] {
  const { headers, settler, chain } = options
  return async ({ address, topics, to }, signal) => {
    const [header] = await headers.read(to, to, signal)
    if (!header)
      throw new DoubtfulAnswerError({ chain: chain.name, question: `block ${to}`, reason: 'no node has its header' })
    if (header.absent) return { logs: [], to, toHash: header.hash }
    const logs = await settler.settle(header, topics, {}, signal)
    return { logs: logs.filter((entry) => entry.address === address), to, toHash: header.hash }
  }
}
