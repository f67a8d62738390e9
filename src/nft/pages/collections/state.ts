import type { Row } from '../../../db/database.ts'
import { column, defineRow, type RowOf } from '../../../db/defineRow.ts'
import { databaseEpoch } from '../../../db/epoch.ts'
import { type BlockRange, parseMultirange } from '../../../sync/blockRange.ts'
import { headAgeColumns, headAgeOf, isOld } from '../../../sync/headAge.ts'
import { type Address, bufferToHex } from '../../../util/hex.ts'
import { coveredToOf, isCollection, syncPositionColumns, syncPositionOf } from '../../collection/coveredTo.ts'
import { type CollectionState, type CollectionStatus, unconfirmed } from '../../query.ts'
import { lookAgainAt } from '../../store/createDemand.ts'

/**
 * Columns of a collection's state, selected from `statesOf`: only stored columns, from which `stateOf` derives the rest. Every page reads a state,
 * and on a cluster each statement is planned again, which takes longer than its execution and grows with each expression.
 */
export const stateColumns = {
  partition: column.int2('c.partition'),
  id: column.int8('c.id'),
  ...syncPositionColumns,
  status: column.text<CollectionStatus>('c.status'),
  retryAt: column.timestamptz('c.retry_at').map(Number).orNull(),
  checkedAt: column.timestamptz('c.checked_at').map(Number).orNull(),
  oversizedLogs: column.int8('c.wide_logs'),
  overLimitTransfers: column.int8('c.surplus_transfers'),
  standard: column.text<'ERC721' | 'ERC1155'>('c.standard').orNull(),
  mixed: column.bool('c.mixed'),
  identityUndone: column.bool('c.identity_undone'),
  name: column.text('c.name').orNull(),
  symbol: column.text('c.symbol').orNull(),
  tokens: column.int8('c.tokens'),
  fromBlock: column.int8('c.from_block').orNull(),
  coverage: column.text('c.coverage').map(parseMultirange),
  metadataTried: column.int8('c.metadata_tried'),
  possibleSpam: column.bool('c.possible_spam'),
  spamOverride: column.bool('c.spam_override').orNull(),
  verified: column.bool('c.verified'),
  verifiedOverride: column.bool('c.verified_override').orNull(),
  rarityDocuments: column.int8('c.rarity_documents').orNull(),
  metadataLongest: column.int4('c.metadata_longest'),
  /** The chain's node disagrees with the stored data. */
  contradicted: column.bool('h.contradicted').orNull(),
  /** Why the chain is not followed now; null: it is. */
  chainFailure: column.text('h.failure').orNull(),
  ...headAgeColumns('h'),
  epoch: databaseEpoch,
}

/** Source of `stateColumns`: `c` is a row of `collections`, a table or a subquery, `h` its chain. */
export const statesOf = (collections: string) => `FROM ${collections} c LEFT JOIN chain h ON h.id = c.chain_id`

const stateRow = defineRow(stateColumns)

/** State of one collection, by partition, chain and address. */
export const selectState = `SELECT ${stateRow.columns} ${statesOf('collection')} WHERE c.partition = $1 AND c.chain_id = $2 AND c.address = $3 AND ${isCollection('c')}`

/** The state in a row of `selectState`. */
export const decodeState = (row: Row): CollectionState => stateOf(stateRow.decode(row))

const namedRow = defineRow({ address: column.bytea('c.address').map(bufferToHex), ...stateColumns })

/** States of several collections of a chain, by partitions in $2 and addresses in $3. */
const statesWhere = (condition: string) =>
  `SELECT ${namedRow.columns} ${statesOf(`(
  SELECT c.* FROM unnest($2::int2[], $3::bytea[]) AS a (partition, address)
  JOIN collection c ON c.partition = a.partition AND c.chain_id = $1 AND c.address = a.address
  WHERE c.partition = ANY($2::int2[]) AND ${condition}
)`)}`
export const selectStates = statesWhere(isCollection('c'))
/** The same, including contracts that are only known. */
export const selectKnownStates = statesWhere('true')

/** The collection in a row of `selectStates`. */
export function decodeNamedState(row: Row): [address: Address, state: CollectionState] {
  const { address, ...state } = namedRow.decode(row)
  return [address, stateOf(state)]
}

/** The state that a row shows. */
export function stateOf(row: RowOf<typeof stateRow>): CollectionState {
  const { storedTo, followedTo, followedHash, confirmedAt, queriedAt, spamOverride, verifiedOverride, ...others } = row
  const { oversizedLogs, overLimitTransfers, coverage, metadataTried, identityUndone, ...known } = others
  const { contradicted, chainFailure, maxHeadAgeMs, ...state } = known
  const { status, tokens, fromBlock, headBlock } = state
  const toBlock = coveredToOf(row)
  const head = headAgeOf(row)
  const live = status === 'live'
  const isUncertain = contradicted === true || isOld(head)
  // Conditions of SYNCED. While the contract is queried again it may be another one.
  const followed = live && !isUncertain && !identityUndone
  const isEmpty = status === 'none' && state.reason === null && !identityUndone
  const synced = isEmpty || (followed && toBlock !== null && headBlock !== null && toBlock >= headBlock)
  const blocks = live && toBlock !== null && fromBlock !== null ? toBlock - fromBlock + 1n : blocksIn(coverage)
  /** Why a collection is not synced: if its chain is not followed, live and joining collections do not continue. */
  const reasonOf = () => {
    if (live && !synced) return chainFailure ?? (isUncertain ? unconfirmed(maxHeadAgeMs) : state.reason)
    return state.reason ?? (status === 'syncing' ? chainFailure : null)
  }
  return {
    ...state,
    reason: reasonOf(),
    lookAgainAt: lookAgainAt(state),
    skipped: { oversizedLogs, overLimitTransfers },
    syncPosition: syncPositionOf(row),
    toBlock,
    possibleSpam: spamOverride ?? state.possibleSpam,
    verified: verifiedOverride ?? state.verified,
    head,
    synced,
    progress: synced ? 1 : progressOf(fromBlock, headBlock, blocks),
    metadataProgress: metadataProgressOf(tokens, metadataTried, live),
  }
}

/** Number of blocks in ranges. */
export const blocksIn = (ranges: readonly BlockRange[]) =>
  ranges.reduce((sum, { from, to }) => sum + to - from + 1n, 0n)

/** Three decimals, below 1 until everything is covered. A history that begins above its chain's cursor has progress 0. */
export function progressOf(from: bigint | null, head: bigint | null, covered: bigint): number {
  if (from === null || head === null || covered < 0n) return 0
  const whole = head - from + 1n
  return whole <= 0n ? 0 : Math.min(0.999, Math.floor((Number(covered) / Number(whole)) * 1_000) / 1_000)
}

/** Burned tokens may have been tried too, so the fraction is bounded. Metadata is read only after the collection joins the head. */
function metadataProgressOf(tokens: bigint, tried: bigint, live: boolean): number {
  if (tokens <= 0n) return live ? 1 : 0
  return tried >= tokens ? 1 : Math.floor((Number(tried) / Number(tokens)) * 1_000) / 1_000
}
