import { hash } from 'node:crypto'
import type { Database, Sql } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { databaseEpoch } from '../../../db/epoch.ts'
import { parseMultirange } from '../../../sync/blockRange.ts'
import { headAgeColumns, headAgeOf, isOld } from '../../../sync/headAge.ts'
import { partitionOf } from '../../../sync/partition.ts'
import { smaller } from '../../../util/extremes.ts'
import { type Address, bufferToHex, hexToBuffer } from '../../../util/hex.ts'
import type { BlockHashes } from '../../blocks/createBlockHashes.ts'
import type { HeldTokens } from '../../query.ts'
import { unconfirmed } from '../../query.ts'
import { blockOfPosition, lastPositionOf } from '../../transfers/position.ts'
import { highestHash } from '../../transfers/tokenHash.ts'
import type {
  WalletCollection,
  WholeFilter,
  WholePageOptions,
  WholePlace,
  WholeState,
  WholeTokens,
  WholeWalletQuery,
} from '../../walletQuery.ts'
import { blocksIn, progressOf } from '../collections/state.ts'
import { isoOf } from '../origins/wholeOrigins.ts'
import { createShownKnown, type ShownContract } from './createShownKnown.ts'
import { contractsSql, countSql, tokensSql } from './wholeSql.ts'

const stateRow = defineRow({
  partition: column.int2('w.partition'),
  id: column.int8('w.id'),
  status: column.text<WholeState['status']>('w.status'),
  reason: column.text('w.reason').orNull(),
  isAskedLongAgo: column.bool(`w.asked_at < now() - interval '1 hour'`),
  complete: column.bool('w.live_since IS NOT NULL'),
  fromBlock: column.int8('w.from_block').orNull(),
  storedTo: column.int8('w.to_block').orNull(),
  coverage: column.text('w.coverage').map(parseMultirange),
  wideLogs: column.int8('w.wide_logs'),
  transfers: column.int8('w.transfers'),
  cursor: column.int8('h.block_number').orNull(),
  cursorHash: column.bytea('h.block_hash').map(bufferToHex).orNull(),
  headBlock: column.int8('h.head_number').orNull(),
  contradicted: column.bool('coalesce(h.contradicted, false)'),
  chainFailure: column.text('h.failure').orNull(),
  /** The first transfer that the tables of wallets lack of collections that they alone show. */
  firstDue: column
    .int8(
      `(SELECT min(d.from_position) FROM collection c JOIN wallet_due d ON d.partition = c.partition AND d.collection_id = c.id
    WHERE c.chain_id = w.chain_id AND c.unindexed AND c.status = 'live')`,
    )
    .orNull(),
  ...headAgeColumns('h'),
})

const selectState = `
SELECT ${stateRow.columns} FROM wallet w LEFT JOIN chain h ON h.id = w.chain_id
WHERE w.partition = $1 AND w.chain_id = $2 AND w.address = $3 AND w.status <> 'removed'`

/** Above every address. */
const topContract = Buffer.alloc(21, 0xff)

type TokenRow = [
  contract: Buffer | null,
  hash: string,
  amount: string,
  bytes: Buffer,
  id: bigint,
  partition: number,
  name: string | null,
  symbol: string | null,
  metadataLongest: number,
  possibleSpam: boolean,
  verified: boolean,
  version: string,
  isKnown: boolean,
  lastContract: Buffer | null,
  lastHash: string | null,
  epoch: string,
  tokenId: string,
  isErc1155: boolean,
  receivedPosition: bigint,
  receivedTime: bigint | null,
]

type ContractRow = [
  ...[address: Buffer, tokens: bigint, standard: 'ERC721' | 'ERC1155', name: string | null, symbol: string | null],
  ...[possibleSpam: boolean, verified: boolean, isKnown: boolean, pieces: string],
]

export type WholeQueryOptions = {
  db: Database
  /** The connections that pages are read with; those of `db` where none are given. */
  reader?: Sql
  /** Where a page writes what it needs when it is shown first, where `db` is a replica; `db` where none is given. */
  primary?: Database | undefined
  blockHashes: BlockHashes
}

export function createWholeQuery({ db, reader = db, primary = db, blockHashes }: WholeQueryOptions): WholeWalletQuery {
  const showKnown = createShownKnown(primary)
  const keyOf = ({ chainId, wallet, of }: Pick<WholeFilter, 'chainId' | 'wallet' | 'of'>) => [
    ...[of.partition, of.id, chainId, hexToBuffer(wallet)],
  ]

  return {
    async state(chainId, wallet) {
      const [row] = await db.rows(selectState, [partitionOf(chainId, wallet), chainId, hexToBuffer(wallet)])
      return row && stateOf(stateRow.decode(row))
    },

    async tokens(filter, after, { limit, order, acquired }) {
      const { of, contracts, wallet } = filter
      const spam = spamOf(filter)
      const filtered = contracts !== null || spam !== null
      const place = [after ? hexToBuffer(after.contract) : topContract, after?.hash ?? highestHash]
      const wanted = [contracts?.map(hexToBuffer) ?? null, spam, lastOf(filter)]
      const values = [...keyOf(filter), ...place, limit + 1, ...wanted, after?.received ?? topPosition]
      const text = tokensSql({ complete: of.complete, filtered, asOf: filter.asOf !== null, order })
      const rows = await reader.rows<TokenRow>(text, values)
      const { known, ...found } = tokensOf(rows, wallet, { limit, order, acquired })
      await showKnown(filter.chainId, known)
      return found
    },

    async collections(filter, after, limit) {
      const place = after ? hexToBuffer(after) : topContract
      const values = [...keyOf(filter), place, limit + 1, spamOf(filter), lastOf(filter)]
      const rows = await reader.rows<ContractRow>(contractsSql(filter.of.complete, filter.asOf !== null), values)
      const shown = rows.slice(0, limit)
      const known = shown.filter(([, , , , , , , isKnown]) => isKnown)
      await showKnown(
        filter.chainId,
        known.map(([address, , standard]) => ({ address: bufferToHex(address), standard, tokens: [] })),
      )
      const collections = shown.map(collectionOf)
      return { collections, next: rows.length > limit ? collections.at(-1)!.address : null }
    },

    async firstTokens(filter) {
      const { of, contracts, wallet } = filter
      if (contracts.length === 0) return []
      const values = [
        ...[...keyOf(filter), topContract, highestHash, contracts.length, contracts.map(hexToBuffer)],
        ...[null, null, topPosition],
      ]
      const text = tokensSql({ complete: of.complete, filtered: true, asOf: false, order: 'contract', first: true })
      const rows = await reader.rows<TokenRow>(text, values)
      return tokensOf(rows, wallet, { limit: contracts.length, order: 'contract', acquired: false }).held
    },

    async count(filter) {
      const contracts = filter.contracts?.map(hexToBuffer) ?? null
      const values = [...keyOf(filter), contracts, spamOf(filter), lastOf(filter)]
      const [row] = await db.rows<[bigint, bigint]>(countSql(filter.of.complete, filter.asOf !== null), values)
      return { tokens: Number(row![0]), collections: Number(row![1]) }
    },

    async blockHash({ id }, chainId, number) {
      const [known] = await db.rows<[Buffer]>('SELECT hash FROM block WHERE chain_id = $1 AND number = $2', [
        ...[chainId, number],
      ])
      return known ? bufferToHex(known[0]) : blockHashes.read({ epoch: 'wallet', id }, chainId, number)
    },
  }
}

/** Above every position. */
const topPosition = 2n ** 63n - 1n

const spamOf = ({ excludeSpam, onlySpam }: Pick<WholeFilter, 'excludeSpam' | 'onlySpam'>) =>
  onlySpam ? true : excludeSpam ? false : null

const lastOf = ({ asOf }: Pick<WholeFilter, 'asOf'>) => (asOf === null ? null : lastPositionOf(asOf))

function stateOf(row: ReturnType<typeof stateRow.decode>): WholeState {
  const {
    storedTo,
    coverage,
    cursor,
    cursorHash,
    contradicted,
    chainFailure,
    confirmedAt,
    askedAt,
    firstDue,
    ...others
  } = row
  const { maxHeadAgeMs, ...state } = others
  const head = headAgeOf(row)
  const isLive = state.status === 'live'
  const reached = firstDue === null ? null : blockOfPosition(firstDue) - 1n
  const covered = isLive ? cursor : storedTo
  const toBlock = covered !== null && reached !== null ? smaller(covered, reached) : covered
  const { headBlock } = state
  const doubtful = contradicted || isOld(head)
  const synced = isLive && !doubtful && toBlock !== null && headBlock !== null && toBlock >= headBlock
  const reason = state.reason ?? chainFailure ?? (isLive && doubtful ? unconfirmed(maxHeadAgeMs) : null)
  return {
    ...state,
    ...{ head, toBlock, synced },
    reason: synced ? null : reason,
    progress: synced ? 1 : progressOf(0n, headBlock, isLive ? (toBlock ?? 0n) + 1n : blocksIn(coverage)),
    block: isLive && cursor !== null && cursorHash !== null ? { number: cursor, hash: cursorHash } : null,
  }
}

/** Rows of one contract that follow each other. */
function runsOf(rows: readonly TokenRow[]): TokenRow[][] {
  const runs: TokenRow[][] = []
  for (const row of rows) {
    const last = runs.at(-1)
    if (last && last[0]![0]!.equals(row[0]!)) last.push(row)
    else runs.push([row])
  }
  return runs
}

function tokensOf(
  rows: readonly TokenRow[],
  holder: Address,
  { limit, order, acquired }: WholePageOptions,
): WholeTokens & { known: ShownContract[] } {
  const found = rows.filter(([contract]) => contract !== null)
  const shown = found.slice(0, limit)
  const held: HeldTokens[] = []
  const known: ShownContract[] = []
  const digest: unknown[] = []
  for (const tokens of runsOf(shown)) {
    const [contract, , , , id, partition, name, symbol, metadataLongest, possibleSpam, verified, version, isKnown] =
      tokens[0]!
    const address = bufferToHex(contract!)
    const hashes = tokens.map(([, hash]) => hash)
    held.push({
      state: {
        epoch: databaseEpoch.decode(tokens[0]![15]),
        ...{ id, partition, name, symbol, metadataLongest, possibleSpam, verified },
      },
      ...{ address, holder, hashes },
      amounts: tokens.map(([, , amount]) => amount),
      bytes: Buffer.concat(tokens.map(([, , , bytes]) => bytes)),
      ...(acquired && { members: tokens.map(acquiredMembers) }),
    })
    if (isKnown) {
      const standard = tokens[0]![17] ? 'ERC1155' : 'ERC721'
      known.push({ address, standard, tokens: tokens.map((row) => ({ hash: row[1], tokenId: row[16] })) })
    }
    digest.push([address, String(id), version, name, symbol, possibleSpam, verified])
  }
  const bytes = held.flatMap((one) => [one.bytes!, ...(one.members ?? [])])
  const mark = hash('sha1', Buffer.concat([Buffer.from(JSON.stringify(digest)), ...bytes]), 'base64')
  const received = new Map(shown.map((row) => [row[1], String(row[18])]))
  const placeOf = (contract: Address, hash: string, position: string): WholePlace => ({
    ...{ contract, hash },
    ...(order === 'acquired' && { received: position }),
  })
  const last = shown.at(-1)
  const end = rows.find(([contract]) => contract === null)
  const nextOf = () => {
    if (found.length > limit && last) return placeOf(bufferToHex(last[0]!), last[1], String(last[18]))
    return end ? placeOf(bufferToHex(end[13]!), end[14]!, String(end[18])) : null
  }
  return {
    ...{ held, known, mark, next: nextOf() },
    placeOf: ({ address }, hash) => placeOf(address, hash, received.get(hash)!),
  }
}

/** The members of a record that show when the wallet last got some of the token. */
function acquiredMembers(row: TokenRow): Buffer {
  const [position, time] = [row[18], row[19]]
  return Buffer.from(`,"acquired_at":${JSON.stringify(isoOf(time))},"acquired_block":"${blockOfPosition(position)}"`)
}

function collectionOf(row: ContractRow): WalletCollection {
  const [address, tokens, standard, name, symbol, possibleSpam, verified, , pieces] = row
  return { address: bufferToHex(address), tokens, pieces, standard, name, symbol, possibleSpam, verified }
}
