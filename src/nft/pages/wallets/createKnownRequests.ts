import type { Database } from '../../../db/database.ts'
import { createLru } from '../../../util/createLru.ts'
import { metadataDemandChannel } from '../../metadata/store/createMetadataDemand.ts'
import { queueTokens } from '../../metadata/store/metadataStore.ts'
import { type KnownContract, requestNames } from '../../store/knownContracts.ts'

/** A known contract on a page that is not a collection, with its tokens there. */
export type ShownContract = KnownContract & {
  /** Of its row; 0: none yet. */
  id: bigint
  /** Its names were requested, by its row. */
  isNamed: boolean
  /** `position`: of its latest transfer. */
  tokens: readonly { hash: string; tokenId: string; position: bigint }[]
}

/** Recently shown tokens, whose metadata is already queued. Remembered with the row, as a new row begins without metadata. */
const mostRemembered = 50_000

/** How long a token is remembered, in milliseconds: a reorg may have removed its metadata, and moved it in the same place again. */
export const rememberedMs = 30_000

/** Requests names of known contracts on a page, and metadata of their tokens there. Repeated pages write nothing. */
export type KnownRequests = (chainId: bigint, shown: readonly ShownContract[]) => Promise<void>

export function createKnownRequests(primary: Database): KnownRequests {
  const queued = createLru<string, true>(mostRemembered, { ttl: rememberedMs })

  return async (chainId, shown) => {
    const tokenOf = ({ hash, position }: ShownContract['tokens'][number], id: bigint) =>
      `${chainId}:${hash}:${id}:${position}`
    const fresh = shown.flatMap(({ tokens, ...contract }) => {
      const others = tokens.filter((token) => !queued.get(tokenOf(token, contract.id)))
      return others.length === 0 && contract.isNamed ? [] : [{ ...contract, tokens: others }]
    })
    if (fresh.length === 0) return
    const known = new Map(
      (await requestNames(primary, chainId, fresh, { discovered: false })).map((one) => [one.address, one]),
    )
    const wanted = fresh.flatMap(({ address, tokens }) => {
      const contract = known.get(address)
      return contract ? tokens.map((token) => ({ ...contract, ...token })) : []
    })
    if (await queueTokens(primary, wanted, { untried: true }))
      await primary.rows('SELECT pg_notify($1, $2)', [metadataDemandChannel, ''])
    for (const { address, tokens, ...shownAs } of fresh) {
      const { id } = known.get(address) ?? shownAs
      for (const token of tokens) queued.set(tokenOf(token, id), true)
    }
  }
}
