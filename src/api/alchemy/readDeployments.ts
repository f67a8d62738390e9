import type { Deployment, OriginQuery } from '../../nft/originQuery.ts'
import type { CollectionState } from '../../nft/query.ts'
import type { Address } from '../../util/hex.ts'

/** How long a request about contracts that it names waits for their deployments, which are read once. */
const waitMs = 2_000

/** By whom and when contracts were deployed. `isNamed`: the request is about these; else only what is known is reported. */
export async function readDeployments(
  { origins, chainId }: { origins: OriginQuery; chainId: bigint },
  states: ReadonlyMap<Address, CollectionState | undefined>,
  { isNamed }: { isNamed: boolean },
): Promise<ReadonlyMap<Address, Deployment | null>> {
  const asked = [...states].flatMap(([address, state]) =>
    state && state.checkedAt !== null && state.status !== 'nocode' ? [{ address, state }] : [],
  )
  const found = await origins.deployments(chainId, asked, isNamed ? waitMs : 0)
  return new Map(asked.map(({ address }, i) => [address, found[i]!]))
}
