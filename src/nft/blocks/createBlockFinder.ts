import type { BlockTime, EvmSource } from '../../chain/evm/source/source.ts'
import type { Sql } from '../../db/database.ts'
import type { OpenChains } from '../../sync/openChains.ts'
import { createLru } from '../../util/createLru.ts'
import type { Hex } from '../../util/hex.ts'
import { firstFollowedFrom, followedByHash } from './followedBlocks.ts'
import { requestFromNode } from './requestFromNode.ts'

/**
 * Finds blocks of a chain among the followed ones, else through its nodes. Caches final blocks. Throws
 * UnavailableError.
 */
export type BlockFinder = {
  /** The first block at or after a time in seconds since 1970; undefined: after the head. */
  firstFrom(chainId: bigint, seconds: bigint): Promise<bigint | undefined>
  /** The block number of a hash; undefined: unknown, or undone by a reorg. */
  byHash(chainId: bigint, hash: Hex): Promise<bigint | undefined>
}

/** Cached blocks, dates and hashes per chain. */
const mostKept = 4_096
/** A wrong block that a lone node confirmed is not returned longer. */
const keptMs = 600_000

type Known = {
  /** Headers that a search read. They are not confirmed: if one seems wrong, all are dropped. */
  times: ReturnType<typeof createLru<bigint, BlockTime>>
  /** First blocks, by seconds. */
  dates: ReturnType<typeof createLru<bigint, bigint>>
  hashes: ReturnType<typeof createLru<Hex, bigint>>
}

export function createBlockFinder({ db, openChains }: { db: Sql; openChains: OpenChains }): BlockFinder {
  /** By source, as a reset chain has another one. */
  const sources = new WeakMap<EvmSource, Known>()

  function knownBy(source: EvmSource): Known {
    let known = sources.get(source)
    if (!known) {
      const options = { ttl: keptMs }
      known = {
        times: createLru(mostKept, options),
        dates: createLru(mostKept, options),
        hashes: createLru(mostKept, options),
      }
      sources.set(source, known)
    }
    return known
  }

  return {
    async firstFrom(chainId, seconds) {
      const followed = await firstFollowedFrom(db, chainId, seconds)
      if (followed !== undefined) return followed
      return requestFromNode(openChains, chainId, 'the block of a date', async (source, signal) => {
        const { times, dates } = knownBy(source)
        const kept = dates.get(seconds)
        if (kept !== undefined) return kept
        const { head, finalized } = await source.head(signal)
        if (head.timestamp < seconds) return undefined
        const timeOf = async (number: bigint): Promise<BlockTime> => {
          const kept = times.get(number)
          if (kept) return kept
          const header = await headerAt(source, number, signal)
          if (number <= finalized) times.set(number, header)
          return header
        }
        const first = await bisect(timeOf, head, seconds)
        // Two confirmed final blocks prove the result, whatever the times of the others are.
        const below = first <= finalized ? first - 1n : finalized
        const proving = [below, first].filter((number) => number >= 0n && number <= finalized)
        const proofs = proving.map(async (number) => {
          const header = number === head.number ? head : await timeOf(number)
          await source.confirm(header, signal)
          if (header.timestamp >= seconds !== number >= first) throw new Error(`block ${number} has another time`)
        })
        await Promise.all(proofs).catch((error: unknown) => {
          if (!signal.aborted) times.clear()
          throw error
        })
        if (first <= finalized) dates.set(seconds, first)
        return first
      })
    },

    async byHash(chainId, hash) {
      const followed = await followedByHash(db, chainId, hash)
      if (followed !== undefined) return followed
      return requestFromNode(openChains, chainId, 'the block of a hash', async (source, signal) => {
        const { hashes } = knownBy(source)
        const kept = hashes.get(hash)
        if (kept !== undefined) return kept
        const header = await source.headerByHash(hash, signal)
        if (header && header.number <= (await source.head(signal)).finalized) hashes.set(hash, header.number)
        return header?.number
      })
    },
  }
}

/** A number without a block gets the header of the block below. */
async function headerAt(source: EvmSource, number: bigint, signal: AbortSignal): Promise<BlockTime> {
  const [header] = await source.headers(number, number, signal)
  const { hash, timestamp } = header ?? (await source.headersOf([{ number }], signal))[0]!
  return { number, hash, timestamp }
}

/**
 * The first block at or after `seconds`, which is before the head. Block times never decrease. Alternates interpolation
 * and bisection: interpolation is fast at regular intervals; bisection bounds the requests to twice its own number.
 */
export async function bisect(
  timeOf: (number: bigint) => Promise<BlockTime>,
  head: BlockTime,
  seconds: bigint,
): Promise<bigint> {
  let low = await timeOf(0n)
  if (low.timestamp >= seconds) return 0n
  let high = head
  for (let round = 0; high.number - low.number > 1n; round++) {
    const blocks = high.number - low.number
    const guess = ((seconds - low.timestamp) * blocks) / (high.timestamp - low.timestamp)
    const step = round % 2 === 0 ? guess : blocks / 2n
    const bounded = step < 1n ? 1n : step >= blocks ? blocks - 1n : step
    const found = await timeOf(low.number + bounded)
    if (found.timestamp < seconds) low = found
    else high = found
  }
  return high.number
}
