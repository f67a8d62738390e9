import { groupByShard } from '../../../db/cluster/citus.ts'
import type { Database } from '../../../db/database.ts'
import { defineLists, list } from '../../../db/defineLists.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { type ByteReader, bytesOf } from '../../../db/pipeline/byteRows.ts'
import type { OpenChains } from '../../../sync/openChains.ts'
import { createLru } from '../../../util/createLru.ts'
import { type Hex, hexToBuffer } from '../../../util/hex.ts'
import {
  createPageTimes,
  dateOf,
  type PageTimes,
  timesIfReachable,
  type UntimedBlock,
} from '../../blocks/createBlockTimes.ts'
import { createDeployments } from '../../blocks/createDeployments.ts'
import { createSenders } from '../../blocks/createSenders.ts'
import { followedTimes } from '../../blocks/followedBlocks.ts'
import type { OriginQuery, OriginRequest, TokenOrigin } from '../../originQuery.ts'
import type { RequestedToken } from '../../query.ts'
import { gotFromOthers } from '../../transfers/holdingSql.ts'
import { mintOf } from '../../transfers/tokenFacts.ts'
import { sameToken, tokenHash } from '../../transfers/tokenHash.ts'
import { movedSome } from '../../transfers/transfer.ts'
import { createContractMetadata } from './contractMetadata.ts'
import { createOriginLogs, type PlacedToken, placedTokens } from './heldOrigins.ts'
import { blockOf, originColumns, originOf, untimedBlocks, untimedRows } from './originRows.ts'
import { readWholeMints } from './wholeMints.ts'

const requested = defineLists<OriginRequest & { place: number }>({
  place: list.int4(({ place }) => place),
  partition: list.int2(({ state }) => state.partition),
  collection_id: list.int8(({ state }) => state.id),
  token_hash: list.uuid(({ hash }) => hash),
  holder: list.bytea(({ holder }) => holder && hexToBuffer(holder)),
})

/** Transfers of a token that are scanned for its holder's last acquisition. */
const mostLookedAt = 1_000

const originRow = defineRow({
  place: column.int4('a.place'),
  partition: column.int2('t.partition'),
  collectionId: column.int8('t.collection_id'),
  ...originColumns('t.minter'),
})

/** Citus requires the join on the partitions of both tables, and finds the shard by the list. */
const ofCollection = 'x.partition = t.partition AND x.partition = ANY($2::int2[]) AND x.collection_id = t.collection_id'

/**
 * Transfers of a token, to be read in the order of `transfer_token`. Token id and position are compared as one value, which only that index has in
 * its order: otherwise a prepared plan may take the primary key, and read all transfers of the collection for each token.
 */
const ofToken = `${ofCollection} AND (x.token_id, x.position) >= (t.token_id, 0) AND (x.token_id, x.position) <= (t.token_id, ${2n ** 63n - 1n})`

const selectOrigins = `
SELECT ${originRow.columns} FROM ${requested.unnest(1, 'a')}
JOIN token t ON ${sameToken('t', 'a')}
LEFT JOIN LATERAL (
  SELECT x.position, x.transaction_hash, x.block_hash, x.block_time FROM transfer x
  WHERE ${ofCollection} AND x.token_id = t.token_id AND x.position = ${mintOf('t')} ORDER BY x.item LIMIT 1
) m ON true
LEFT JOIN LATERAL (
  SELECT x.* FROM (
    SELECT x.position, x.block_hash, x.block_time, x.from_address, x.to_address, x.amount FROM transfer x
    WHERE ${ofToken} AND a.holder IS NOT NULL ORDER BY x.token_id DESC, x.position DESC, x.item DESC LIMIT ${mostLookedAt}
  ) x
  WHERE ${gotFromOthers('x', 'a.holder')} ORDER BY x.position DESC LIMIT 1
) g ON true
LEFT JOIN LATERAL (
  SELECT x.position, x.block_hash, x.block_time FROM transfer x
  WHERE ${ofToken} AND g.position IS NULL AND t.transfers < ${mostLookedAt} AND x.to_address = a.holder AND ${movedSome('x')}
  ORDER BY x.token_id, x.position LIMIT 1
) s ON true
WHERE t.partition = ANY($2::int2[])`

/** `primary`: stores block times, if `db` is a replica; default: `db`. */
export function createOriginQuery(options: {
  db: Database
  /** Connections for pages; default: those of `db`. */
  reader?: ByteReader
  primary?: Database | undefined
  openChains: OpenChains
  /** Shared with other queries; created if omitted. */
  times?: PageTimes
}): OriginQuery {
  const { db, reader = bytesOf(db), primary = db, openChains } = options
  const { times = createPageTimes({ db: primary, openChains }) } = options
  const deployments = createDeployments({ db: primary, openChains })
  const senders = createSenders({ db: primary, openChains })
  const metadata = createContractMetadata(primary)

  const timesOf = (chainId: bigint, untimed: ReadonlyMap<string, UntimedBlock>) =>
    timesIfReachable(times.transfers, chainId, untimed)

  async function readBlocks(chainId: bigint) {
    const [row] = await db.rows<[bigint | null, bigint | null]>(
      'SELECT head_number, finalized_number FROM chain WHERE id = $1',
      [chainId],
    )
    return { head: row?.[0] ?? null, finalized: row?.[1] ?? null }
  }

  /** Blocks stay final, so a recent value suffices. */
  const finalBlocks = createLru<bigint, bigint>(1_000, { ttl: 10_000 })
  async function finalBlock(chainId: bigint): Promise<bigint | null> {
    const known = finalBlocks.get(chainId)
    if (known !== undefined) return known
    const { finalized } = await readBlocks(chainId)
    if (finalized !== null) finalBlocks.set(chainId, finalized)
    return finalized
  }
  const originLogs = createOriginLogs({ db, sql: reader, finalBlock })

  async function readTokens(chainId: bigint, tokens: readonly OriginRequest[]): Promise<TokenOrigin[]> {
    if (tokens.length === 0) return []
    const placed = tokens.map((token, place) => ({ ...token, place }))
    const groups = await groupByShard(db, placed, ({ state }) => state.partition)
    const read = await Promise.all(groups.map((group) => db.rows(selectOrigins, requested.lists(group))))
    const rows = read.flat().map(originRow.decode)
    const found = await timesOf(
      chainId,
      untimedRows(rows, ({ partition, collectionId }) => ({ partition, collectionId })),
    )
    const byPlace = new Map(rows.map((row) => [row.place, row]))
    return tokens.map((_, place) => {
      const row = byPlace.get(place)
      return row ? originOf(row, found) : { mint: null, acquired: null }
    })
  }

  /** Origins of tokens whose rows usually point to the logs. */
  async function readHeld(chainId: bigint, placed: readonly PlacedToken[]): Promise<TokenOrigin[]> {
    const logs = await originLogs.read(chainId, placed)
    // For a token with other possible holders, or sent by its holder to itself, earlier transfers are needed.
    const isKnown = (i: number) =>
      placed[i]!.places && (placed[i]!.places.last === null || logs[i]!.last?.toItself === false)
    const others = placed.filter((_, i) => !isKnown(i))
    const requestedOf = ({ held, hash }: PlacedToken) => ({ state: held.state, hash, holder: held.holder })
    const [found, times] = await Promise.all([
      readTokens(chainId, others.map(requestedOf)),
      timesOf(
        chainId,
        untimedBlocks(logs.flatMap(({ mint, last }) => [mint, last].filter((log) => log !== undefined))),
      ),
    ])
    let next = 0
    return placed.map(({ places }, i) => {
      if (!isKnown(i)) return found[next++]!
      const { mint, last } = logs[i]!
      const minted = mint && (mint.shown ?? blockOf(mint, times))
      return {
        mint:
          minted && places!.minter
            ? { ...minted, minter: places!.minter, transactionHash: mint.transactionHash }
            : null,
        acquired: last ? (last.shown ?? blockOf(last, times)) : null,
      }
    })
  }

  /** Times of followed blocks by hash; -1: none is known now. */
  const followed = createLru<Hex, bigint>(1_000, { ttl: 10_000 })

  return {
    async airdrops(chainId, tokens) {
      const sent = tokens.map(
        ({ state, mint }) => mint && { partition: state.partition, collectionId: state.id, hash: mint.transactionHash },
      )
      const found = await senders.read(
        chainId,
        sent.flatMap((one) => one ?? []),
      )
      let next = 0
      return tokens.map(({ mint }) => {
        const sender = mint && found[next++]
        return sender ? sender !== mint.minter : null
      })
    },

    named(chainId, tokens) {
      const hashOf = ({ address, tokenId }: RequestedToken) => tokenHash(address, String(tokenId))
      return this.tokens(
        chainId,
        tokens.map((token) => ({ state: token.state, hash: hashOf(token), holder: null })),
      )
    },

    held(chainId, held) {
      // The last transfer of a token with other possible holders may not be that to its holder.
      const placed = placedTokens(held)
      return readHeld(
        chainId,
        placed.map((token) => (token.places?.erc1155 ? { ...token, places: undefined } : token)),
      )
    },

    async ofWhole(chainId, whole, held) {
      // The wallet's own transfers show more about its acquisitions.
      const placed = placedTokens(held).map((token) => ({
        ...token,
        places: token.places && { ...token.places, last: null },
      }))
      const [own, known] = await Promise.all([
        readWholeMints(db, whole, held, (untimed) => timesIfReachable(times.moves, chainId, untimed)),
        readHeld(chainId, placed),
      ])
      const acquired = held.flatMap((one) => one.acquired ?? one.hashes.map(() => null))
      return own.map((mint, i) => ({ mint: known[i]!.mint ?? mint, acquired: acquired[i]! }))
    },

    tokens: readTokens,

    deployments: deployments.read,

    metadata,

    blocks: readBlocks,

    async timeOf(chainId, { number, hash }) {
      let seconds = followed.get(hash)
      if (seconds === undefined) {
        const known = await followedTimes(db, chainId, [number])
        seconds = known.find((block) => block.hash === hash)?.timestamp ?? -1n
        followed.set(hash, seconds)
      }
      return seconds < 0n ? null : dateOf(seconds)
    },
  }
}
