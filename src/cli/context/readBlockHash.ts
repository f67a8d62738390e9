import type { EvmChain } from '../../chain/evm/chains.ts'
import { createRpc } from '../../chain/evm/rpc/createRpc.ts'
import { createHeaderReader } from '../../chain/evm/source/headers/headerReader.ts'
import type { Config } from '../../config/config.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import { NotFoundError } from '../../util/errors.ts'
import type { Hex } from '../../util/hex.ts'
import { noopLog } from '../../util/log.ts'

/**
 * A block's hash from its header, which full nodes keep even without the block's state. Throws NotFoundError if no node
 * has the header.
 */
export async function readBlockHash(
  chain: EvmChain,
  settings: Config['rpc'],
  block: bigint,
  signal: AbortSignal,
): Promise<Hex> {
  const metrics = createMetrics()
  const rpc = createRpc({ chain, settings, metrics, log: noopLog })
  try {
    const [header] = await createHeaderReader({ rpc, chain, metrics }).read(block, block, signal)
    if (!header)
      throw new NotFoundError(
        `no node of ${chain.name} has block ${block}: choose another block with --at, or configure another node under chains.${chain.name}.rpc`,
      )
    return header.hash
  } finally {
    await rpc.close()
  }
}
