import type { Database } from '../db/database.ts'
import { type Address, hexToBuffer } from '../util/hex.ts'
import { partitionOf } from './partition.ts'
import type { CollectionState, CollectionStatus, HashRange, NftQuery } from './query.ts'
import { collectionText, type RecordRow, recordColumns, renderRecord } from './record.ts'
import { tokenHash } from './tokenHash.ts'

type StateRow = [
  partition: number,
  id: bigint,
  status: CollectionStatus,
  reason: string | null,
  retryAt: Date | null,
  checkedAt: Date | null,
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
]

/** A followed collection is covered as far as its chain is followed; any other as far as its own coverage goes. */
const selectState = `
SELECT c.partition, c.id, c.status, c.reason, c.retry_at, c.checked_at, c.standard, c.name, c.symbol, c.tokens, c.version,
  c.from_block, c.to_block,
  (SELECT sum(upper(r) - lower(r))::int8 FROM unnest(c.coverage) r),
  h.block_number, h.head_number
FROM collection c LEFT JOIN chain h ON h.id = c.chain_id
WHERE c.partition = $1 AND c.chain_id = $2 AND c.address = $3`

const selectPage = `
SELECT ${recordColumns} FROM token t
WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0
  AND t.token_hash >= $3 AND t.token_hash < $4
ORDER BY t.token_hash DESC LIMIT $5`

const selectPageToTop = selectPage.replace('t.token_hash < $4', 't.token_hash <= $4')

const selectCount = `
SELECT count(*) FROM token t
WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0 AND t.token_hash >= $3 AND t.token_hash < $4`

const selectToken = `
SELECT ${recordColumns} FROM token t
WHERE t.partition = $1 AND t.collection_id = $2 AND t.token_hash = $3 AND t.amount > 0`

const lowest = '00000000000000000000000000000000'
const highest = 'ffffffffffffffffffffffffffffffff'

export function createNftQuery({ db }: { db: Database }): NftQuery {
  return {
    async state(chainId, address) {
      const [row] = await db.rows<StateRow>(selectState, [partitionOf(chainId, address), chainId, hexToBuffer(address)])
      return row && stateOf(row)
    },

    async page({ state, address, range, after, limit, hex }) {
      const text = collectionText({ address, ...state })
      const upper = after ?? range.to
      const rows = await db.rows<RecordRow>(upper ? selectPage : selectPageToTop, [
        state.partition,
        state.id,
        range.from ?? lowest,
        upper ?? highest,
        limit + 1,
      ])
      const more = rows.length > limit
      if (more) rows.pop()
      return {
        records: rows.map((row) => renderRecord(row, text, hex)),
        last: more ? rows.at(-1)![0].replaceAll('-', '') : null,
      }
    },

    async count(state, range: HashRange) {
      if (!range.from && !range.to) return Number(state.tokens)
      // The topmost hash alone would be missed without an upper bound: 2^-128 of the space, and no range needs it.
      const [row] = await db.rows<[bigint]>(
        range.to ? selectCount : selectCount.replace('t.token_hash < $4', 't.token_hash <= $4'),
        [state.partition, state.id, range.from ?? lowest, range.to ?? highest],
      )
      return Number(row?.[0] ?? 0n)
    },

    async token(state, address: Address, tokenId, hex) {
      const [row] = await db.rows<RecordRow>(selectToken, [
        state.partition,
        state.id,
        tokenHash(address, String(tokenId)),
      ])
      return row && renderRecord(row, collectionText({ address, ...state }), hex)
    },
  }
}

function stateOf(row: StateRow): CollectionState {
  const [
    partition,
    id,
    status,
    reason,
    retryAt,
    checkedAt,
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
  ] = row
  const live = status === 'live'
  const toBlock = live ? chainBlock : ownTo
  const synced = status === 'none' || (live && chainBlock !== null && headBlock !== null && chainBlock >= headBlock)
  return {
    partition,
    id,
    status,
    reason,
    retryAt: retryAt?.getTime() ?? null,
    checkedAt: checkedAt?.getTime() ?? null,
    standard,
    name,
    symbol,
    tokens,
    version,
    fromBlock,
    toBlock,
    headBlock,
    synced,
    progress: synced
      ? 1
      : progressOf(
          fromBlock,
          headBlock,
          live && toBlock !== null && fromBlock !== null ? toBlock - fromBlock + 1n : covered,
        ),
  }
}

/** Three decimals, below 1 until everything is covered. */
function progressOf(from: bigint | null, head: bigint | null, covered: bigint | null): number {
  if (from === null || head === null || covered === null) return 0
  const whole = head - from + 1n
  return whole <= 0n ? 0 : Math.min(0.999, Math.floor((Number(covered) / Number(whole)) * 1_000) / 1_000)
}
