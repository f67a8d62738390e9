import type { NoUri } from '../../chain/evm/contracts/contract.ts'
import type { Database } from '../../db/database.ts'
import { readChain } from '../../sync/chainStore.ts'
import type { OpenChains } from '../../sync/openChains.ts'
import type { Buffered } from './createBuffer.ts'
import { duePriority } from './store/due.ts'
import type { DueTokens, QueuedToken } from './store/dueTokens.ts'
import { groupByStandard } from './store/groupByStandard.ts'
import type { MetadataTurn } from './store/metadataStore.ts'

/** Longest slice of one collection while others wait. */
const sliceMs = 5_000

/** Most named tokens that are still taken after a slice is over, while its last metadata is fetched. */
const mostAfterSlice = 100

/** While all due tokens wait to be fetched, newly due ones are looked for after so many tokens or so long, whichever comes first. */
const lookEvery = 16
const lookEveryMs = 250

/**
 * Tokens whose URIs are requested together: few at first, as each URI may contain a megabyte of metadata, then as many as `uriBytes` have
 * space for, by the length of the URIs before.
 */
const firstUris = 4
const mostUris = 500

/** Most bytes of URIs that wait to be fetched. */
export const uriBytes = 2_097_152

/** Memory of each token that waits, besides its URI. */
const tokenBytes = 1_000

/** A token whose URI was requested. */
export type Waiting = { token: QueuedToken; standard: MetadataTurn['standard']; uri: string | NoUri }

export type ReadUrisOptions = {
  chains: OpenChains
  db: Database
  due: DueTokens
  waiting: Buffered<Waiting>
  /** True where the hosts of the collection are left alone. */
  isResting: () => boolean
  signal: AbortSignal
}

/** Requests the URIs of due tokens during one slice, and then of some named ones while others still wait to be fetched. */
export async function readUris(
  { chains, db, due, waiting, isResting, signal }: ReadUrisOptions,
  turn: MetadataTurn,
): Promise<void> {
  const { contracts } = await chains.open(turn.chainId, signal)
  const over = performance.now() + sliceMs
  let width = firstUris
  let afterSlice = mostAfterSlice
  while (!signal.aborted && !isResting()) {
    await waiting.room()
    const isOver = performance.now() >= over
    if (isOver && (waiting.isEmpty() || afterSlice === 0)) return
    const lookedAt = performance.now()
    const batch = isOver ? await due.next(Math.min(width, afterSlice), duePriority.named) : await due.next(width)
    if (isOver) afterSlice -= batch.length
    if (batch.length === 0) {
      if (waiting.isEmpty()) return
      for (let taken = 0; taken < lookEvery && performance.now() < lookedAt + lookEveryMs; taken++) {
        await waiting.taken()
        if (signal.aborted || waiting.isEmpty()) break
      }
      continue
    }
    let bytes = 0
    for (const [standard, tokens] of await groupByStandard(db, turn, batch)) {
      for (let rest = tokens; rest.length > 0 && !signal.aborted; ) {
        const ids = rest.map((token) => token.tokenId)
        // The block that was applied last: a node that has it knows all of these tokens.
        const since = (await readChain(db, turn.chainId))?.block?.number
        const uris = await contracts.tokenUris(turn.address, standard, ids, { since, room: uriBytes, signal })
        for (const [i, uri] of uris.entries()) {
          const token = rest[i]!
          const weight = tokenBytes + (typeof uri === 'string' ? uri.length : 0)
          bytes += weight
          waiting.add({ token, standard, uri }, weight, token.priority === duePriority.named)
        }
        rest = rest.slice(uris.length)
        if (rest.length > 0) await waiting.room()
      }
    }
    width = Math.max(1, Math.min(mostUris, width * 8, Math.floor((uriBytes / bytes) * batch.length)))
  }
}
