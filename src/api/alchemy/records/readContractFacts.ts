import type { Deployment, DeploymentRequest, FactOptions, OriginQuery } from '../../../nft/originQuery.ts'
import type { CollectionState, ShownCollection } from '../../../nft/query.ts'
import type { Address } from '../../../util/hex.ts'
import { isCodeless } from '../../nft/collections/collections.ts'

/** Facts of a contract besides its state; null: not read. */
export type ContractFacts = {
  deployment: Deployment | null
  metadata: Awaited<ReturnType<OriginQuery['metadata']>>[number]
}

/** Rows of contracts in pages of wallets, which are the only ones of contracts that are not collections. `id` 0: not stored yet. */
export type ContractRows = ReadonlyMap<Address, Pick<ShownCollection, 'epoch' | 'partition' | 'id'>>

/** Deployers, deployment blocks and metadata of contracts. Metadata is read only of collections, as only these are followed. */
export async function readContractFacts(
  { origins, chainId }: { origins: OriginQuery; chainId: bigint },
  states: ReadonlyMap<Address, CollectionState | undefined>,
  { rows, ...options }: FactOptions & { rows?: ContractRows },
): Promise<ReadonlyMap<Address, ContractFacts>> {
  const requested = [...states].flatMap(([address, state]): DeploymentRequest[] => {
    if (state) return isContract(state) ? [{ address, state }] : []
    const row = rows?.get(address)
    return row && row.id !== 0n ? [{ address, state: { ...row, fromBlock: null } }] : []
  })
  const checked = requested.filter(({ address }) => states.get(address)?.checkedAt != null)
  const [deployments, metadata] = await Promise.all([
    origins.deployments(chainId, requested, options),
    origins.metadata(checked, options),
  ])
  const metadataOf = new Map(checked.map(({ address }, i) => [address, metadata[i]!]))
  return new Map(
    requested.map(({ address }, i) => [
      address,
      { deployment: deployments[i]!, metadata: metadataOf.get(address) ?? null },
    ]),
  )
}

/** A standard without a check is from a log of the contract. */
const isContract = (state: CollectionState) =>
  (state.checkedAt !== null || state.standard !== null) && !isCodeless(state)
