import type { EvmChain } from '../../chain/evm/chains.ts'
import { createStateReader } from '../../chain/evm/contracts/createStateReader.ts'
import type { StateReader } from '../../chain/evm/contracts/stateReader.ts'
import { createRpc } from '../../chain/evm/rpc/createRpc.ts'
import type { Config } from '../../config.ts'
import { silentLog } from '../../log.ts'
import { createMetrics } from '../../metrics.ts'
import type { Address } from '../../util/hex.ts'
import { nameEndpoints } from '../../util/urls/nameEndpoints.ts'

/** The first nodes of a chain, each with connections of its own, so that none answers for another. */
export type Nodes = {
  readersAt(address: Address, block: bigint): StateReader[]
  close(): Promise<void>
}

const mostNodes = 2

export function connectNodes(chain: EvmChain, settings: Config['rpc']): Nodes {
  const metrics = createMetrics()
  const nodes = nameEndpoints([...new Set(chain.rpc)].slice(0, mostNodes)).map(({ url, name }) => ({
    node: name,
    rpc: createRpc({ chain: { ...chain, rpc: [url] }, settings, metrics, log: silentLog }),
  }))
  return {
    readersAt: (address, block) =>
      nodes.map(({ node, rpc }) => createStateReader({ rpc, chain, node, address, block, log: silentLog })),
    close: async () => void (await Promise.all(nodes.map(({ rpc }) => rpc.close()))),
  }
}
