import type { Database } from '../../../db/database.ts'
import { metadataDemandChannel } from '../../metadata/store/createMetadataDemand.ts'
import { queueTokens } from '../../metadata/store/metadataStore.ts'
import { type KnownContract, requestNames } from '../../store/knownContracts.ts'

/** A known contract on a page that is not a collection, with its tokens there. */
export type ShownContract = KnownContract & { tokens: readonly { hash: string; tokenId: string }[] }

/** Requests names of known contracts on a page, and metadata of their tokens there. What was requested before is only read. */
export async function requestKnown(
  primary: Database,
  chainId: bigint,
  shown: readonly (KnownContract & Partial<ShownContract>)[],
): Promise<void> {
  if (shown.length === 0) return
  const known = new Map(
    (await requestNames(primary, chainId, shown, { discovered: false })).map((one) => [one.address, one]),
  )
  const wanted = shown.flatMap(({ address, tokens = [] }) => {
    const contract = known.get(address)
    return contract ? tokens.map((token) => ({ ...contract, ...token })) : []
  })
  if (await queueTokens(primary, wanted, { untried: true }))
    await primary.rows('SELECT pg_notify($1, $2)', [metadataDemandChannel, ''])
}
