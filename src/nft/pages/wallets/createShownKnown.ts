import type { Database } from '../../../db/database.ts'
import { createLru } from '../../../util/createLru.ts'
import type { Address } from '../../../util/hex.ts'
import { metadataDemandChannel } from '../../metadata/store/createMetadataDemand.ts'
import { makeAllDue } from '../../metadata/store/metadataStore.ts'
import { askForNames, type KnownContract } from '../../store/knownContracts.ts'

/** A contract on a page that is known and no collection, with its tokens there. */
export type ShownContract = KnownContract & { tokens: readonly { hash: string; tokenId: string }[] }

/** Contracts and tokens that were shown lately: what they need is queued. */
const mostRemembered = 50_000

/**
 * Has the names of known contracts read that a page of a wallet shows, and the metadata of their tokens there. Later pages of a process write nothing; after
 * a reset of the chain the wallet has another id.
 */
export type ShownKnown = (wallet: { chainId: bigint; id: bigint }, shown: readonly ShownContract[]) => Promise<void>

export function createShownKnown(primary: Database): ShownKnown {
  const named = createLru<string, true>(mostRemembered)
  const due = createLru<string, true>(mostRemembered)

  return async ({ chainId, id }, shown) => {
    const nameOf = (address: Address) => `${id}:${address}`
    const tokenOf = (hash: string) => `${id}:${hash}`
    const fresh = shown.flatMap(({ tokens, ...contract }) => {
      const others = tokens.filter(({ hash }) => !due.get(tokenOf(hash)))
      return others.length === 0 && named.get(nameOf(contract.address)) ? [] : [{ ...contract, tokens: others }]
    })
    if (fresh.length === 0) return
    const known = new Map(
      (await askForNames(primary, chainId, fresh, { discovered: false })).map((one) => [one.address, one]),
    )
    const wanted = fresh.flatMap(({ address, tokens }) => {
      const contract = known.get(address)
      return contract ? tokens.map((token) => ({ ...contract, collectionId: contract.id, ...token })) : []
    })
    if (await makeAllDue(primary, wanted, { untried: true }))
      await primary.rows('SELECT pg_notify($1, $2)', [metadataDemandChannel, ''])
    for (const { address, tokens } of fresh) {
      named.set(nameOf(address), true)
      for (const { hash } of tokens) due.set(tokenOf(hash), true)
    }
  }
}
