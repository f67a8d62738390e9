import { setTimeout as pause } from 'node:timers/promises'
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

/** Refreshes the metadata of tokens, at most once a minute each, and waits for it, so the following answer shows it. */
export async function refreshTokens(
  { collections, metadata }: Pick<AlchemyOptions, 'collections' | 'metadata'>,
  requested: { chain: ApiChain; tokens: readonly NamedToken[]; exchange: Exchange; waitMs: number | undefined },
): Promise<void> {
  const { chain, tokens, exchange, waitMs = usualMs } = requested
  const addresses = [...new Set(tokens.map(({ address }) => address))]
  const snapshots = await collectionSnapshots({ collections, chainId: chain.id, addresses, exchange })
  const states = new Map(addresses.map((address, i) => [address, snapshots[i]!.state]))
  const named = tokens.flatMap((token) => {
    const state = states.get(token.address)
    return state ? [{ state, ...token }] : []
  })
  // Scheduled, so that the statements of one key delay no others. The pauses are not.
  const scheduled = <T>(task: () => Promise<T>) => exchange.schedule(task, { kind: 'refresh' })
  const [before, now] = await scheduled(async () => [await metadata.statesOf(named), await metadata.resync(named)])
  const triedAt = new Map(named.map((token, i) => [token, Number(before[i]?.triedAt)]))
  let waiting = named.filter((_, i) => {
    const nextAt = before[i] && now[i]?.nextAt
    return nextAt && nextAt.getTime() < Date.now() + longestMs
  })
  const end = performance.now() + Math.min(waitMs, longestMs)
  while (waiting.length > 0 && performance.now() < end) {
    await pause(lookMs)
    const found = await scheduled(() => metadata.statesOf(waiting))
    waiting = waiting.filter((token, i) => found[i] && Number(found[i].triedAt) === triedAt.get(token))
  }
  for (const address of addresses) collections.get(chain.id, address).recent.forget()
}
