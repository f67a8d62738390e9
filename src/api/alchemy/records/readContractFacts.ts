import type { Deployment, OriginQuery } from '../../../nft/originQuery.ts'
import type { CollectionState } from '../../../nft/query.ts'
import type { Address } from '../../../util/hex.ts'
import { isCodeless } from '../../nft/collections/collections.ts'

/** How long a request about contracts that it names waits for what is read once: deployments, and metadata of the contracts. */
const waitMs = 2_000
const waitForDocumentMs = 1_000

/** Known facts of a contract besides its state. null: it was not read. */
export type ContractFacts = {
  deployment: Deployment | null
  document: Awaited<ReturnType<OriginQuery['documents']>>[number]
}

/** By whom and when contracts were deployed, and their metadata. `isNamed`: the request is about these; else only what is known is reported. */
export async function readContractFacts(
  { origins, chainId }: { origins: OriginQuery; chainId: bigint },
  states: ReadonlyMap<Address, CollectionState | undefined>,
  { isNamed }: { isNamed: boolean },
): Promise<ReadonlyMap<Address, ContractFacts>> {
  const asked = [...states].flatMap(([address, state]) =>
    state && state.checkedAt !== null && !isCodeless(state) ? [{ address, state }] : [],
  )
  const [deployments, documents] = await Promise.all([
    origins.deployments(chainId, asked, isNamed ? waitMs : 0),
    origins.documents(asked, isNamed ? waitForDocumentMs : 0),
  ])
  return new Map(asked.map(({ address }, i) => [address, { deployment: deployments[i]!, document: documents[i]! }]))
}
