import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/database.ts'
import { tokenBatches } from '../../nft/files/tokenBatches.ts'
import { transferBatches } from '../../nft/files/transferBatches.ts'
import { createNftQuery } from '../../nft/pages/createNftQuery.ts'
import { createTransferQuery } from '../../nft/pages/transfers/createTransferQuery.ts'
import type { CollectionState } from '../../nft/query.ts'
import type { OpenChain, OpenChains } from '../../sync/openChains.ts'
import type { Address } from '../../util/hex.ts'
import { connectNodes, type Nodes } from './connectNodes.ts'
import { withNodes } from './withNodes.ts'

export type ExportBatchesOptions = {
  db: Database
  config: Config
  chain: { id: bigint; name: string }
  state: CollectionState
  address: Address
  kind: 'tokens' | 'transfers'
  signal: AbortSignal
}

/** The rows of an export. Missing block times are read from a configured node. */
export async function* exportBatches(options: ExportBatchesOptions): AsyncGenerator<string> {
  const { db, config, chain, state, address, kind, signal } = options
  if (kind === 'tokens') return yield* tokenBatches(createNftQuery({ db }), { state, address, signal })
  let nodes: Nodes | undefined
  const openChains: OpenChains = {
    ids: [chain.id],
    async open() {
      nodes ??= connectNodes(withNodes(config, chain, []), config.rpc)
      const { source, contracts } = nodes.first()
      return { chain: withNodes(config, chain, []), source, contracts, close: source.close } satisfies OpenChain
    },
    distrust: () => undefined,
    endpoints: () => undefined,
    close: async () => nodes?.close(),
  }
  try {
    const transfers = createTransferQuery({ db, openChains })
    yield* transferBatches(transfers, { state, address, chainId: chain.id, signal })
  } finally {
    await openChains.close()
  }
}
