import type { AsOf, AsOfQuery } from '../../nft/asOfQuery.ts'
import { type CollectionState, describeSkipped } from '../../nft/query.ts'
import { ConflictError } from '../../util/errors.ts'
import { highestBlock } from '../../util/extremes.ts'
import type { Hex } from '../../util/hex.ts'
import { NotCoveredError } from '../http/errors.ts'
import { parameter } from '../http/parameters.ts'
import type { Exchange } from '../http/route.ts'
import type { ListFilters, ListPlace } from '../pages/filteredList.ts'
import type { Collection, Collections, Snapshot } from './collections/collections.ts'
import { reportedNow } from './collections/reportCollection.ts'
import { collectionSnapshot } from './pages.ts'
import { parseBlockNumber } from './transferParameters.ts'

/** Description of `as_of_block` for records. */
const ofRecords =
  'Shows ownership at the end of this block, with current metadata. Any block that is covered without a gap since the deployment, or an earlier one.'

/** The parameter `as_of_block`. */
export function asOfParameter(description = ofRecords) {
  return parameter({
    description,
    allowed: `the number of a block, decimal or 0x and hex digits, from 0 to ${highestBlock}`,
    schema: { type: 'string', pattern: '^([0-9]+|0[xX][0-9a-fA-F]+)$', examples: ['17000000', '0x1036640'] },
    parse: parseBlockNumber,
  })
}

/** A requested block; `hash`: its hash on the previous page, null if none. */
export type RequestedBlock = { number: number; hash: Hex | null }

/** The block at whose end a page of a list is requested; null: now. After the first page, the place ends with the block's hash, else with a total. */
export function requestedBlock(place: ListPlace<ListFilters & { as_of_block: number | null }>): RequestedBlock | null {
  const { as_of_block: number } = place.filters
  const hash = (place.after as unknown[] | null)?.at(-1) as Hex | undefined
  return number === null ? null : { number, hash: hash ?? null }
}

/** A reorg happened while the state was read; `AsOfReader.read` then restarts. */
export class MovedError extends ConflictError {}

/** Initial cost estimate of an earlier state, in milliseconds: it aggregates transfers. */
const earlierMs = 100

/** Most attempts to read a state while its chain changes. */
const mostReads = 4

export type AsOfReader = {
  /**
   * Calls `read` with a collection and the requested block. Both are read again if the chain changed meanwhile. Throws
   * NotCoveredError if the state at the block is not known, and ConflictError if the block differs from that of the
   * previous page.
   */
  read<T>(options: {
    collection: Collection
    exchange: Exchange
    requested: RequestedBlock
    read: (snapshot: Snapshot & { state: CollectionState }, asOf: AsOf) => Promise<T>
  }): Promise<T>
  /** Runs `cut` as scheduled work of the key; throws if it returns `moved`, so that `read` restarts. */
  cut<T>(exchange: Exchange, cut: () => Promise<T | 'moved'>): Promise<T>
}

export function createAsOfReader(options: { query: AsOfQuery; collections: Collections }): AsOfReader {
  const { query, collections } = options

  async function find({ state, report }: Snapshot, requested: RequestedBlock): Promise<AsOf> {
    const found = state ? await query.find(state, BigInt(requested.number)) : { first: 0n, last: null }
    if (found === 'moved') throw moved(requested)
    if ('last' in found) throw new NotCoveredError(uncovered(requested, found.last), { headers: reportedNow(report) })
    if (requested.hash !== null && requested.hash !== found.hash)
      throw new ConflictError(
        `cursor belongs to block ${requested.number} with the hash ${requested.hash}, which a reorganisation replaced by ${found.hash}; restart without a cursor`,
        { details: { parameter: 'cursor' } },
      )
    return found
  }

  return {
    async read({ collection, exchange, requested, read }) {
      for (let attempt = 1; ; attempt++) {
        const snapshot = await collectionSnapshot({ collections, collection, exchange })
        try {
          const asOf = await find(snapshot, requested)
          return await read({ ...snapshot, state: snapshot.state! }, asOf)
        } catch (error) {
          if (!(error instanceof MovedError) || attempt === mostReads) throw error
          collection.recent.forget()
        }
      }
    },
    async cut(exchange, cut) {
      const body = await exchange.schedule(cut, { kind: 'as of', firstMs: earlierMs })
      if (body === 'moved') throw new MovedError('the chain changed while its state was read; retry')
      return body
    },
  }
}

const moved = ({ number }: RequestedBlock) => new MovedError(`block ${number} changed while its state was read; retry`)

function uncovered({ number }: RequestedBlock, last: bigint | null): string {
  const allowed = last === null ? 'none yet, as the history is not read' : `a block from 0 to ${last}`
  return `as_of_block is ${number}, a block whose state is not known; allowed: ${allowed}`
}

/** Headers of an answer; the x-index-… headers describe the collection as it is now. */
export function asOfHeaders(index: readonly string[], { hash, skipped }: AsOf): string[] {
  const headers: string[] = []
  for (let i = 0; i < index.length; i += 2)
    if (index[i] !== 'x-index-incomplete') headers.push(index[i]!, index[i + 1]!)
  const incomplete = describeSkipped(skipped)
  if (incomplete !== null) headers.push('x-index-incomplete', incomplete)
  return [...headers, 'x-as-of-block-hash', hash]
}
