import { setTimeout as pause } from 'node:timers/promises'
import type { TokenMetadataState } from '../../nft/demand.ts'
import type { CollectionState } from '../../nft/query.ts'
import type { Exchange } from '../http/route.ts'
import type { ApiChain } from '../nft/chains.ts'
import { collectionSnapshots } from '../nft/pages.ts'
import type { AlchemyOptions } from './alchemyRoute.ts'
import type { NamedToken } from './records/readNfts.ts'

/** How long a request waits for refreshed metadata: default and maximum. */
const usualMs = 3_000
const longestMs = 10_000

/** Poll interval for refreshed metadata. */
const lookMs = 100

type Waiting = { state: CollectionState; token: NamedToken; triedAt: TokenMetadataState['triedAt'] }

/** Refreshes the metadata of tokens, at most once a minute each, and waits for it, so the following answer shows it. */
export async function refreshTokens(
  { collections, metadata }: Pick<AlchemyOptions, 'collections' | 'metadata'>,
  requested: { chain: ApiChain; tokens: readonly NamedToken[]; exchange: Exchange; waitMs: number | undefined },
): Promise<void> {
  const { chain, tokens, exchange, waitMs = usualMs } = requested
  const addresses = [...new Set(tokens.map(({ address }) => address))]
  const snapshots = await collectionSnapshots({ collections, chainId: chain.id, addresses, exchange })
  const states = new Map(addresses.map((address, i) => [address, snapshots[i]!.state]))
  let waiting: Waiting[] = []
  for (const token of tokens) {
    const state = states.get(token.address)
    if (!state) continue
    const before = await metadata.stateOf(state, token.address, token.tokenId)
    if (!before) continue
    const now = await metadata.resync(state, token.address, token.tokenId)
    const isSoon = now?.nextAt && now.nextAt.getTime() < Date.now() + longestMs
    if (isSoon) waiting.push({ state, token, triedAt: before.triedAt })
  }
  const end = performance.now() + Math.min(waitMs, longestMs)
  while (waiting.length > 0 && performance.now() < end) {
    await pause(lookMs)
    const found = await Promise.all(
      waiting.map(({ state, token }) => metadata.stateOf(state, token.address, token.tokenId)),
    )
    waiting = waiting.filter(({ triedAt }, i) => found[i] && Number(found[i].triedAt) === Number(triedAt))
  }
  for (const address of addresses) collections.get(chain.id, address).recent.forget()
}
