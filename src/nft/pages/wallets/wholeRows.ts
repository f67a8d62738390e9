import { hash } from 'node:crypto'
import { column, defineRow, type RowOf } from '../../../db/defineRow.ts'
import { databaseEpoch } from '../../../db/epoch.ts'
import { partitionSql } from '../../../sync/partition.ts'
import { type Address, bufferToHex } from '../../../util/hex.ts'
import type { HeldTokens, OriginBlock } from '../../query.ts'
import { blockOfPosition } from '../../transfers/position.ts'
import { addressBytes } from '../../transfers/tokenFacts.ts'
import type { WholePageOptions, WholePlace, WholeTokens } from '../../walletQuery.ts'
import { isoOf } from '../origins/originRows.ts'
import type { ShownContract } from './createShownKnown.ts'
import { isSpam } from './walletTokens.ts'

// Rows of the statements in wholeSql.ts: `p` is a row of the page; `c`, on pages of contracts, is the contract's collection, if any.

const address = (sql: string) => column.bytea(sql).map(bufferToHex)
const hex = (uuid: string) => `encode(uuid_send(${uuid}), 'hex')`
/** Columns of the contract's collection `c`, named as in rows of tokens; NULL without one. */
export const ofCollection = {
  c_name: 'c.name',
  c_symbol: 'c.symbol',
  c_metadata_longest: 'c.metadata_longest',
  c_spam: isSpam,
  c_verified: 'coalesce(c.verified_override, c.verified)',
  c_status: 'c.status',
  c_version: 'c.version',
}

const flagsOf = ({ spam, verified, status }: { spam: string; verified: string; status: string }) => ({
  possibleSpam: column.bool(`coalesce(${spam}, false)`),
  verified: column.bool(`coalesce(${verified}, false)`),
  /** Also for an address that had no code when a client requested it: see `insertKnown`. */
  isKnown: column.bool(`${status} IS NULL OR ${status} IN ('known', 'nocode')`),
})

const tokenColumns = {
  /** The row is not a token: `contract`, `hash` and `receivedPosition` are the last scanned ones, as the page reached its scan limit. */
  isEnd: column.bool('false'),
  contract: address('p.contract'),
  hash: column.text(hex('p.token_hash')),
  receivedPosition: column.int8('p.received_position'),
  receivedTime: column.int8('p.received_time').orNull(),
  amount: column.text('p.amount::text'),
  bytes: column.bytea(`boolsend(p.erc1155) || uuid_send(p.token_hash) || ${addressBytes('$4::bytea')} || p.facts`),
  tokenId: column.text('p.token_id::text'),
  isErc1155: column.bool('p.erc1155'),
  id: column.int8('coalesce(p.c_id, 0)::int8'),
  partition: column.int2(`coalesce(p.c_partition, ${partitionSql('$3::int8', 'p.contract')})`),
  name: column.text('p.c_name').orNull(),
  symbol: column.text('p.c_symbol').orNull(),
  metadataLongest: column.int4('coalesce(p.c_metadata_longest, 0)'),
  ...flagsOf({ spam: 'p.c_spam', verified: 'p.c_verified', status: 'p.c_status' }),
  version: column.text('coalesce(p.c_version, 0)::text'),
  epoch: { ...databaseEpoch, sql: `(SELECT ${databaseEpoch.sql})` },
}

/** A token of a page. */
export const tokenRow = defineRow(tokenColumns)

export type TokenRow = RowOf<typeof tokenRow>
type TokenColumn = keyof typeof tokenColumns

const tokenNames = Object.keys(tokenColumns) as TokenColumn[]

/** Select list of a row that is not a token. `l`: the last scanned row. */
const endSql: Partial<Record<TokenColumn, string>> = {
  isEnd: 'true',
  contract: 'l.contract',
  hash: hex('l.token_hash'),
  receivedPosition: 'l.received_position',
  epoch: tokenColumns.epoch.sql,
}
export const endColumns = tokenNames.map((name) => endSql[name] ?? 'NULL').join(', ')

/** Index of a column in the select list, for ORDER BY. */
export const tokenPlace = (name: TokenColumn) => tokenNames.indexOf(name) + 1

/** A contract with tokens of the wallet. */
const contractColumns = {
  /** As for a token. */
  isEnd: column.bool('false'),
  address: address('p.contract'),
  /** Position of its last received token; null for other orders. */
  receivedPosition: column.int8('p.received_position').orNull(),
  tokens: column.int8('p.tokens::int8'),
  pieces: column.text('p.pieces::text'),
  standard: column.text<'ERC721' | 'ERC1155'>(
    `coalesce(c.standard, CASE WHEN p.erc1155 THEN 'ERC1155' ELSE 'ERC721' END)`,
  ),
  name: column.text('c.name').orNull(),
  symbol: column.text('c.symbol').orNull(),
  id: column.int8('coalesce(c.id, 0)::int8'),
  ...flagsOf({ spam: ofCollection.c_spam, verified: ofCollection.c_verified, status: 'c.status' }),
}

export const contractRow = defineRow(contractColumns)

type ContractColumn = keyof typeof contractColumns

const contractNames = Object.keys(contractColumns) as ContractColumn[]

const contractEndSql: Partial<Record<ContractColumn, string>> = {
  isEnd: 'true',
  address: 'l.contract',
  receivedPosition: 'l.received_position',
}
export const contractEndColumns = contractNames.map((name) => contractEndSql[name] ?? 'NULL').join(', ')

export const contractPlace = (name: ContractColumn) => contractNames.indexOf(name) + 1

/** The rows of a page: rows after its end are dropped. */
export function beforeEnd<Row extends { isEnd: boolean }>(
  rows: readonly Row[],
): { found: Row[]; end: Row | undefined } {
  const at = rows.findIndex(({ isEnd }) => isEnd)
  return at < 0 ? { found: [...rows], end: undefined } : { found: rows.slice(0, at), end: rows[at] }
}

/** Consecutive rows of one contract. */
function runsOf(rows: readonly TokenRow[]): TokenRow[][] {
  const runs: TokenRow[][] = []
  for (const row of rows) {
    const last = runs.at(-1)
    if (last && last[0]!.contract === row.contract) last.push(row)
    else runs.push([row])
  }
  return runs
}

/** A page of tokens from its rows, of which there is one more if others follow. `known`: its contracts that are not collections. */
export function tokensOf(
  rows: readonly TokenRow[],
  holder: Address,
  { limit, order, acquired }: WholePageOptions,
): WholeTokens & { known: ShownContract[] } {
  const { found, end } = beforeEnd(rows)
  const shown = found.slice(0, limit)
  const held: HeldTokens[] = []
  const known: ShownContract[] = []
  const digest: unknown[] = []
  for (const tokens of runsOf(shown)) {
    const {
      contract: address,
      epoch,
      id,
      partition,
      name,
      symbol,
      metadataLongest,
      possibleSpam,
      verified,
      ...first
    } = tokens[0]!
    held.push({
      state: { epoch, id, partition, name, symbol, metadataLongest, possibleSpam, verified },
      ...{ address, holder },
      hashes: tokens.map(({ hash }) => hash),
      amounts: tokens.map(({ amount }) => amount),
      bytes: Buffer.concat(tokens.map(({ bytes }) => bytes)),
      ...(acquired && { acquired: tokens.map(acquiredOf) }),
    })
    if (first.isKnown) {
      const standard = first.isErc1155 ? 'ERC1155' : 'ERC721'
      known.push({ id, address, standard, tokens: tokens.map(({ hash, tokenId }) => ({ hash, tokenId })) })
    }
    const got = acquired && tokens.map((token) => `${token.receivedPosition} ${token.receivedTime}`)
    digest.push([address, String(id), first.version, name, symbol, possibleSpam, verified, got])
  }
  const bytes = held.map((one) => one.bytes!)
  const mark = hash('sha1', Buffer.concat([Buffer.from(JSON.stringify(digest)), ...bytes]), 'base64')
  const received = new Map(shown.map((row) => [row.hash, row.receivedPosition]))
  const placeOf = (contract: Address, hash: string, position: bigint): WholePlace => ({
    ...{ contract, hash },
    ...(order === 'acquired' && { received: String(position) }),
  })
  const last = found.length > limit ? shown.at(-1) : end
  return {
    ...{ held, known, mark, next: last ? placeOf(last.contract, last.hash, last.receivedPosition) : null },
    placeOf: ({ address }, hash) => placeOf(address, hash, received.get(hash)!),
  }
}

const acquiredOf = ({ receivedPosition, receivedTime }: TokenRow): OriginBlock => ({
  block: blockOfPosition(receivedPosition),
  time: isoOf(receivedTime),
})
