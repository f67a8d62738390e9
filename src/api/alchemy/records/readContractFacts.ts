import type { Deployment, FactOptions, OriginQuery } from '../../../nft/originQuery.ts'
import type { CollectionState } from '../../../nft/query.ts'
import type { Address } from '../../../util/hex.ts'
import { isCodeless } from '../../nft/collections/collections.ts'

/** Facts of a contract besides its state; null: not read. */
export type ContractFacts = {
  deployment: Deployment | null
  metadata: Awaited<ReturnType<OriginQuery['metadata']>>[number]
}

/** Deployers, deployment blocks and metadata of contracts. */
export async function readContractFacts(
  { origins, chainId }: { origins: OriginQuery; chainId: bigint },
  states: ReadonlyMap<Address, CollectionState | undefined>,
  options: FactOptions,
): Promise<ReadonlyMap<Address, ContractFacts>> {
  const requested = [...states].flatMap(([address, state]) =>
    state && state.checkedAt !== null && !isCodeless(state) ? [{ address, state }] : [],
  )
  const [deployments, metadata] = await Promise.all([
    origins.deployments(chainId, requested, options),
    origins.metadata(requested, options),
  ])
  return new Map(requested.map(({ address }, i) => [address, { deployment: deployments[i]!, metadata: metadata[i]! }]))
}
