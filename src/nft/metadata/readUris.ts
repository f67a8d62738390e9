import type { NoUri } from '../../chain/evm/contracts/contract.ts'
import type { Database } from '../../db/database.ts'
import { readChain } from '../../sync/chainStore.ts'
import type { OpenChains } from '../../sync/openChains.ts'
import { sleep } from '../../util/wait.ts'
import type { Buffered } from './createBuffer.ts'
import { type DueTokens, groupByStandard, type QueuedToken } from './store/dueTokens.ts'
import type { MetadataSlice } from './store/metadataStore.ts'
import { tokenPriority } from './store/schedule.ts'

/** Longest time slice of a collection while others wait. */
const sliceMs = 5_000

/** Most named tokens that are taken after the slice, while its last metadata is fetched. */
const mostAfterSlice = 100

/** While all due tokens wait to be fetched: interval of looking up newly due ones. */
const lookEveryMs = 250

/**
 * Tokens whose URIs are requested together: few at first, as a URI may contain a megabyte of metadata, then as many as fit into `uriBytes` by the
 * lengths so far.
 */
const firstUris = 4
const mostUris = 500

/** Most bytes of URIs that wait to be fetched. */
export const uriBytes = 2_097_152

/** Memory per waiting token, besides its URI. */
const tokenBytes = 1_000

/** A token with its requested URI. */
export type Waiting = { token: QueuedToken; standard: MetadataSlice['standard']; uri: string | NoUri }

export type ReadUrisOptions = {
  chains: OpenChains
  db: Database
  dueTokens: DueTokens
  waiting: Buffered<Waiting>
  /** True while the collection's hosts are paused. */
  isResting: () => boolean
  signal: AbortSignal
}

/** Requests URIs of due tokens during one slice, then of some named ones while others wait to be fetched. */
export async function readUris(
  { chains, db, dueTokens, waiting, isResting, signal }: ReadUrisOptions,
  collection: MetadataSlice,
): Promise<void> {
  const { contracts } = await chains.open(collection.chainId, signal)
  const over = performance.now() + sliceMs
  let width = firstUris
  let afterSlice = mostAfterSlice
  while (!signal.aborted && !isResting()) {
    await waiting.capacity()
    const isOver = performance.now() >= over
    if (isOver && (waiting.isEmpty() || afterSlice === 0)) return
    const batch = isOver
      ? await dueTokens.next(Math.min(width, afterSlice), tokenPriority.named)
      : await dueTokens.next(width)
    if (isOver) afterSlice -= batch.length
    if (batch.length === 0) {
      if (waiting.isEmpty()) return
      await sleep(lookEveryMs, signal)
      continue
    }
    let bytes = 0
    for (const [standard, tokens] of await groupByStandard(db, collection, batch)) {
      for (let remaining = tokens; remaining.length > 0 && !signal.aborted; ) {
        const ids = remaining.map((token) => token.tokenId)
        // The last applied block: a node that has it knows all of these tokens.
        const since = (await readChain(db, collection.chainId))?.block?.number
        const uris = await contracts.tokenUris(collection.address, standard, ids, {
          since,
          answerBudget: uriBytes,
          signal,
        })
        for (const [i, uri] of uris.entries()) {
          const token = remaining[i]!
          const weight = tokenBytes + (typeof uri === 'string' ? uri.length : 0)
          bytes += weight
          waiting.add({ token, standard, uri }, weight, token.priority === tokenPriority.named)
        }
        remaining = remaining.slice(uris.length)
        if (remaining.length > 0) await waiting.capacity()
      }
    }
    width = Math.max(1, Math.min(mostUris, width * 8, Math.floor((uriBytes / bytes) * batch.length)))
  }
}
