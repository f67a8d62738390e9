import { databaseEpoch } from '../db/epoch.ts'
import { lookAgainAt } from './lookAgain.ts'
import { type CollectionState, type CollectionStatus, unconfirmed } from './query.ts'

export type StateRow = [
  partition: number,
  id: bigint,
  status: CollectionStatus,
  reason: string | null,
  retryAt: Date | null,
  checkedAt: Date | null,
  lookAgainAt: Date | null,
  wideLogs: bigint,
  surplusTransfers: bigint,
  standard: 'ERC721' | 'ERC1155' | null,
  name: string | null,
  symbol: string | null,
  tokens: bigint,
  version: bigint,
  fromBlock: bigint | null,
  toBlock: bigint | null,
  coveredBlocks: bigint | null,
  chainBlock: bigint | null,
  headBlock: bigint | null,
  metadataTried: bigint,
  possibleSpam: boolean,
  verified: boolean,
  metadataLongest: number,
  /** The chain's node contradicts what is stored. */
  contradicted: boolean | null,
  /** Why the chain is not followed now; null: it is. */
  chainFailure: string | null,
  /** Milliseconds since the head was confirmed, and how many there may be; null: no chain, no bound. */
  headAgeMs: number | null,
  maxHeadAgeMs: number | null,
  epoch: string,
]

/**
 * The statement that reads states, without what it is of: `c` is a collection, `h` its chain. `more`: columns after those of a
 * `StateRow`. A followed collection is covered as far as its chain is followed; any other as far as its own coverage goes.
 */
export const selectStates = (more: readonly string[] = []) => `
SELECT c.partition, c.id, c.status, c.reason, c.retry_at, c.checked_at, ${lookAgainAt},
  c.wide_logs, c.surplus_transfers, c.standard, c.name, c.symbol, c.tokens, c.version,
  c.from_block, c.to_block,
  (SELECT sum(upper(r) - lower(r))::int8 FROM unnest(c.coverage) r),
  h.block_number, h.head_number, c.metadata_tried,
  coalesce(c.spam_override, c.possible_spam), coalesce(c.verified_override, c.verified), c.metadata_longest,
  h.contradicted, h.failure, (extract(epoch FROM now() - h.confirmed_at) * 1000)::float8, h.max_head_age_ms, ${[databaseEpoch, ...more].join(', ')}
FROM collection c LEFT JOIN chain h ON h.id = c.chain_id`

export const selectState = `${selectStates()} WHERE c.partition = $1 AND c.chain_id = $2 AND c.address = $3`

export function stateOf(row: StateRow): CollectionState {
  const [
    partition,
    id,
    status,
    reason,
    retryAt,
    checkedAt,
    lookAgain,
    wide,
    surplus,
    standard,
    name,
    symbol,
    tokens,
    version,
    fromBlock,
    ownTo,
    covered,
    chainBlock,
    headBlock,
    tried,
    possibleSpam,
    verified,
    metadataLongest,
    contradicted,
    chainFailure,
    headAgeMs,
    maxAgeMs,
    epoch,
  ] = row
  const live = status === 'live'
  const stale = headAgeMs !== null && maxAgeMs !== null && headAgeMs > maxAgeMs
  const doubtful = contradicted === true || stale
  const followed = live && !doubtful
  const known = status === 'none' && reason === null
  // What is known to be no contract of NFTs has none in any block that comes.
  const toBlock = live ? chainBlock : known ? (headBlock ?? ownTo) : ownTo
  const synced = known || (followed && chainBlock !== null && headBlock !== null && chainBlock >= headBlock)
  const blocks = live && toBlock !== null && fromBlock !== null ? toBlock - fromBlock + 1n : covered
  return {
    epoch,
    partition,
    id,
    status,
    reason: live && doubtful ? (chainFailure ?? unconfirmed(maxAgeMs)) : reason,
    retryAt: retryAt?.getTime() ?? null,
    checkedAt: checkedAt?.getTime() ?? null,
    lookAgainAt: lookAgain?.getTime() ?? null,
    leftOut: { wideLogs: wide, surplusTransfers: surplus },
    standard,
    name,
    symbol,
    tokens,
    version,
    fromBlock,
    toBlock,
    headBlock,
    head: headAgeMs === null ? null : { ageMs: headAgeMs, maxAgeMs },
    synced,
    progress: synced ? 1 : progressOf(fromBlock, headBlock, blocks),
    metadataProgress: metadataProgressOf(tokens, tried, live),
    possibleSpam,
    verified,
    metadataLongest,
  }
}

/** Three decimals, below 1 until everything is covered. */
function progressOf(from: bigint | null, head: bigint | null, covered: bigint | null): number {
  if (from === null || head === null || covered === null) return 0
  const whole = head - from + 1n
  return whole <= 0n ? 0 : Math.min(0.999, Math.floor((Number(covered) / Number(whole)) * 1_000) / 1_000)
}

/** Burned tokens may have been tried too, so the part is bounded. Nothing is read before the head is joined. */
function metadataProgressOf(tokens: bigint, tried: bigint, live: boolean): number {
  if (tokens <= 0n) return live ? 1 : 0
  return tried >= tokens ? 1 : Math.floor((Number(tried) / Number(tokens)) * 1_000) / 1_000
}
