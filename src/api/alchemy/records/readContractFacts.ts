import type { Deployment, OriginQuery } from '../../../nft/originQuery.ts'
import type { CollectionState } from '../../../nft/query.ts'
import type { Address } from '../../../util/hex.ts'
import { isCodeless } from '../../nft/collections/collections.ts'

/** How long a request waits for facts of contracts that are read once: deployments, and metadata. */
const waitMs = 2_000
const waitForMetadataMs = 1_000

/** Facts of a contract besides its state; null: not read. */
export type ContractFacts = {
  deployment: Deployment | null
  document: Awaited<ReturnType<OriginQuery['metadata']>>[number]
}

/**
 * Deployers, deployment times and metadata of contracts. `isNamed`: the request specifies them; else only known facts
 * are returned.
 */
export async function readContractFacts(
  { origins, chainId }: { origins: OriginQuery; chainId: bigint },
  states: ReadonlyMap<Address, CollectionState | undefined>,
  { isNamed }: { isNamed: boolean },
): Promise<ReadonlyMap<Address, ContractFacts>> {
  const requested = [...states].flatMap(([address, state]) =>
    state && state.checkedAt !== null && !isCodeless(state) ? [{ address, state }] : [],
  )
  const [deployments, documents] = await Promise.all([
    origins.deployments(chainId, requested, isNamed ? waitMs : 0),
    origins.metadata(requested, isNamed ? waitForMetadataMs : 0),
  ])
  return new Map(requested.map(({ address }, i) => [address, { deployment: deployments[i]!, document: documents[i]! }]))
}
