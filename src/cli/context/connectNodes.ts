import type { EvmChain } from '../../chain/evm/chains.ts'
import type { ContractReader } from '../../chain/evm/contracts/contract.ts'
import { createContractReader } from '../../chain/evm/contracts/createContractReader.ts'
import { createStateReader } from '../../chain/evm/contracts/createStateReader.ts'
import type { StateReader } from '../../chain/evm/contracts/stateReader.ts'
import { createRpc } from '../../chain/evm/rpc/createRpc.ts'
import { createEvmSource } from '../../chain/evm/source/createEvmSource.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import type { Config } from '../../config/config.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import type { Address } from '../../util/hex.ts'
import { noopLog } from '../../util/log.ts'
import { nameEndpoints } from '../../util/urls/endpointUrls.ts'

/** The first nodes of a chain. Each has its own connections, so none answers for another. */
export type Nodes = {
  readersAt(address: Address, block: bigint): StateReader[]
  /** Logs and contracts of the first node. */
  first(): { node: string; source: EvmSource; contracts: ContractReader }
  close(): Promise<void>
}

const mostNodes = 2

export function connectNodes(chain: EvmChain, settings: Config['rpc']): Nodes {
  const metrics = createMetrics()
  const nodes = nameEndpoints([...new Set(chain.rpc)].slice(0, mostNodes)).map(({ url, name }) => ({
    node: name,
    rpc: createRpc({ chain: { ...chain, rpc: [url] }, settings, metrics, log: noopLog }),
  }))
  return {
    readersAt: (address, block) =>
      nodes.map(({ node, rpc }) => createStateReader({ rpc, chain, node, address, block, log: noopLog })),
    first() {
      const { node, rpc } = nodes[0]!
      const common = { rpc, chain, log: noopLog }
      return {
        node,
        source: createEvmSource({ ...common, settings, metrics }),
        contracts: createContractReader(common),
      }
    },
    close: async () => void (await Promise.all(nodes.map(({ rpc }) => rpc.close()))),
  }
}
