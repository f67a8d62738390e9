import { hash } from 'node:crypto'
import { databaseEpoch } from '../../../db/epoch.ts'
import { defineByteColumns } from '../../../db/pipeline/byteColumns.ts'
import type { ByteReader, ByteRow } from '../../../db/pipeline/byteRows.ts'
import { partitionOf } from '../../../sync/partition.ts'
import { type Address, hexToBuffer } from '../../../util/hex.ts'
import { type HeldTokens, mostPageBytes, type ShownCollection } from '../../query.ts'
import { tokenFactsOf } from '../../transfers/tokenFacts.ts'
import { highestHash, lowestHash } from '../../transfers/tokenHash.ts'
import type { WalletFilter, WalletPageOptions, WalletPlace, WalletTokens } from '../../walletQuery.ts'
import { createStatementTexts, metadataColumns, pageColumns } from '../rows/metadataTexts.ts'
import { metadataOfLists } from '../rows/severalSql.ts'
import { bytesOfToken, tokensIn } from '../rows/tokenLines.ts'

/**
 * Most collections of a wallet that one filtered page scans: a wallet with tokens of 50,000 spam collections is walked in pages that each end in
 * time.
 */
export const mostSeen = 1_000

/** Condition: rows of the wallet: $1 partition, $2 chain, $3 address. */
export const ofWallet = (row: string) => `${row}.partition = $1 AND ${row}.chain_id = $2 AND ${row}.wallet = $3`

/** The partition of a row's collection, by a lookup: PostgreSQL may answer a join by all collections of the wallet. */
const itsPartition = (row: string) =>
  `SELECT w.collection_partition FROM wallet_collection w WHERE ${ofWallet('w')} AND w.collection_id = ${row}.collection_id LIMIT 1`

/** First parameters of each statement on a wallet. */
export const walletKey = ({ chainId, wallet }: Pick<WalletFilter, 'chainId' | 'wallet'>) => [
  partitionOf(chainId, wallet),
  chainId,
  hexToBuffer(wallet),
]

export const isSpam = 'coalesce(c.spam_override, c.possible_spam)'

/** Filter by spam: all tokens, only others, or only spam. */
export type SpamWanted = 'all' | 'none' | 'only'

export const spamWanted = ({
  excludeSpam,
  onlySpam = false,
}: Pick<WalletFilter, 'excludeSpam' | 'onlySpam'>): SpamWanted => (onlySpam ? 'only' : excludeSpam ? 'none' : 'all')

/** WHERE clause for a collection `c`. */
export const whereSpam: Record<SpamWanted, string> = { all: '', none: `WHERE NOT ${isSpam}`, only: `WHERE ${isSpam}` }

/** $4 and $5: collection and token before the page. */
const below = (token: string) => `(${token}.collection_id, ${token}.token_hash) < ($4, $5::uuid)`

const inOrder = 'ORDER BY t.collection_id DESC, t.token_hash DESC'

const wholeWallet = `
page AS MATERIALIZED (
  SELECT t.collection_id, t.token_hash, t.amount, t.facts FROM wallet_token t WHERE ${ofWallet('t')} AND ${below('t')} ${inOrder} LIMIT $6
)`

const seen = (only: boolean) => `(
  SELECT w.collection_id, w.collection_partition FROM wallet_collection w
  WHERE ${ofWallet('w')} AND w.collection_id <= $4 ${only ? 'AND w.collection_id = ANY ($7::int8[])' : ''}
  ORDER BY w.collection_id DESC LIMIT ${mostSeen}
)`

/** Tokens of some collections: scans them one by one, and reads no tokens of omitted ones. */
const ofCollections = ({ only, spam }: Choice) => `
wanted AS MATERIALIZED (
  SELECT w.collection_id FROM ${seen(only)} w JOIN collection c ON c.partition = w.collection_partition AND c.id = w.collection_id
  ${whereSpam[spam]} ORDER BY w.collection_id DESC
), page AS MATERIALIZED (
  SELECT t.* FROM wanted w CROSS JOIN LATERAL (
    SELECT t.collection_id, t.token_hash, t.amount, t.facts FROM wallet_token t
    WHERE ${ofWallet('t')} AND t.collection_id = w.collection_id AND ${below('t')} ORDER BY t.token_hash DESC LIMIT $6
  ) t
  ORDER BY w.collection_id DESC, t.token_hash DESC LIMIT $6
)`

/** The last token of a page, if others follow. */
const last = `(
  SELECT (array_agg(t.collection_id || ' ' || encode(uuid_send(t.token_hash), 'hex') ${inOrder}))[1]
  FROM (SELECT t.collection_id, t.token_hash FROM page t ${inOrder} OFFSET $6 - 2 LIMIT 2) t HAVING count(*) = 2
)`

/**
 * The last scanned collection, if others may follow: a page that is not full scanned all of `seen`. No token sorts below the hash, so nothing more of
 * the collection follows.
 */
const stop = (only: boolean) =>
  `(SELECT min(s.collection_id) || ' ${lowestHash}' FROM ${seen(only)} s HAVING count(*) = ${mostSeen})`

/** `metadata`: requested texts of metadata; null: none. */
type Choice = { only: boolean; spam: SpamWanted; counted: boolean; metadata: WalletPageOptions['metadata'] }

/** Columns of tokens in a page's row. */
const tokenNames = ['end', 'epoch', 'collections', 'bytes'] as const

/**
 * Columns of a page's row: end of the page, epoch, a JSON list of collections with numbers, names and symbols, and the bytes of their tokens
 * (`tokenBytes`). Then whether metadata was read: it is not if it may exceed the limit of an answer. The columns of an already read page follow
 * (`pageColumns`).
 */
const walletColumns = defineByteColumns([...tokenNames, 'total', 'metadataRead'])

/**
 * One row. Returns one token more than the limit if others follow. The wallet's rows are in its partition, its collections in theirs. Tokens with
 * several possible holders are looked up, and omitted if they were burned meanwhile.
 */
function walkSql(choice: Choice): string {
  const { metadata } = choice
  const isUnfiltered = !choice.only && choice.spam === 'all'
  const later = choice.only ? '$8' : '$7'
  return `
WITH ${isUnfiltered ? wholeWallet : ofCollections(choice)}, missing AS MATERIALIZED (
  SELECT p.*, w.collection_partition FROM page p CROSS JOIN LATERAL (${itsPartition('p')}) w WHERE p.facts IS NULL
), read AS MATERIALIZED (
  SELECT h.collection_id, h.token_hash, t.erc1155, ${tokenFactsOf('h.amount')} AS facts
  FROM missing h JOIN token t ON t.partition = h.collection_partition AND t.collection_id = h.collection_id AND t.token_hash = h.token_hash
  WHERE t.amount > 0
), held AS MATERIALIZED (
  SELECT t.*, w.collection_partition FROM (
    SELECT collection_id, array_agg(token_hash) AS token_hashes,
      string_agg(${bytesOfToken('erc1155', 'token_hash', '$3', 'facts')}, '' ORDER BY token_hash DESC) AS bytes
    FROM (
      SELECT collection_id, token_hash, false AS erc1155, facts FROM page WHERE facts IS NOT NULL UNION ALL SELECT * FROM read
    ) p GROUP BY collection_id
  ) t CROSS JOIN LATERAL (${itsPartition('t')}) w
), shown AS MATERIALIZED (
  SELECT t.*, c.partition, c.address, c.version, c.name, c.symbol, c.metadata_longest, c.traits_version,
    ${isSpam} AS possible_spam, coalesce(c.verified_override, c.verified) AS verified
  FROM held t JOIN collection c ON c.partition = t.collection_partition AND c.id = t.collection_id
)
SELECT ${walletColumns.select({
    end: `coalesce(${last}, ${isUnfiltered ? 'NULL' : stop(choice.only)})`,
    epoch: `(SELECT ${databaseEpoch.sql})`,
    collections: 's.collections',
    bytes: 's.bytes',
    total: choice.counted && isUnfiltered ? total : undefined,
    metadataRead: metadata ? `${fits}::text` : undefined,
  })}${metadata ? `, ${pageColumns.select({ ...metadataColumns.of('d'), traitsVersions: metadata.normalized ? traitsVersions : undefined })}` : ''}
FROM (
  SELECT json_agg(json_build_array(${numbers}, p.name, p.symbol) ${byCollection})::text AS collections,
    string_agg(p.bytes, '' ${byCollection}) AS bytes
  FROM shown p
) s${metadata ? ` CROSS JOIN (${metadataOfLists(metadata, { lists: 'shown', where: fits, staleBefore: `${later}::timestamptz` })}) d` : ''}`
}

const total = `(SELECT coalesce(sum(w.tokens), 0)::text FROM wallet_collection w WHERE ${ofWallet('w')})`

const byCollection = 'ORDER BY p.collection_id DESC'

/** Input of `collectionOf`. */
const numbers = `concat_ws(' ', p.collection_id, p.partition, encode(p.address, 'hex'), octet_length(p.bytes), p.metadata_longest, p.possible_spam, p.verified, p.version)`

/** SQL: the metadata of `lists`, rows `s` with the size of the longest one and the token hashes, fits into an answer. */
export const fitsPage = (lists: string, longest: string, hashes: string) =>
  `(SELECT coalesce(sum(${longest}::int8 * cardinality(${hashes})), 0) <= ${mostPageBytes} FROM ${lists} s)`

const fits = fitsPage('shown', 's.metadata_longest', 's.token_hashes')

const traitsVersions = '(SELECT json_object_agg(v.collection_id, v.traits_version::text)::text FROM shown v)'

const sqlOf = createStatementTexts(walkSql)

/** Above all tokens. */
const top = { collection: '9223372036854775807', hash: highestHash }

/** Reads the tokens of a page. Omits collections that were removed meanwhile. Metadata tried before `staleBefore` is stale. */
export async function readWalletTokens(
  sql: ByteReader,
  filter: WalletFilter,
  after: WalletPlace | null,
  { limit, metadata, counted = false, staleBefore = null }: WalletPageOptions & { staleBefore?: Date | null },
): Promise<WalletTokens> {
  const { only, wallet } = filter
  const from = after ?? top
  const values: unknown[] = [...walletKey(filter), from.collection, from.hash, limit + 1]
  if (only) values.push(only)
  if (metadata) values.push(staleBefore)
  const [row] = await sql.bytes(sqlOf({ only: only !== null, spam: spamWanted(filter), counted, metadata }), values)
  const { end, epoch, collections: list, bytes, total, metadataRead } = walletColumns.read(row!)
  const next = end ? placeOf(end.toString('latin1')) : null
  const held = list
    ? heldOf({ epoch: databaseEpoch.decode(epoch!.toString('latin1')), list, bytes: bytes! }, wallet, next)
    : []
  return {
    held,
    mark: markOf(row!.slice(0, tokenNames.length)),
    total: total ? Number(total.toString('latin1')) : null,
    next,
    metadata: metadataRead?.toString() === 'true' ? row!.slice(walletColumns.names.length) : null,
  }
}

/** Raw columns of a row. */
type Found = { epoch: string; list: Buffer; bytes: Buffer }

/** Tokens of the page, by collection. */
function heldOf({ epoch, list, bytes }: Found, holder: Address, next: WalletPlace | null): HeldTokens[] {
  let at = 0
  return (JSON.parse(list.toString()) as Listed[]).flatMap((one) => {
    const { state, address, size } = collectionOf(one, epoch)
    const own = bytes.subarray(at, at + size)
    at += size
    const hashes = tokensIn(own).flatMap(({ hash }) => (isBehind(next, state.id, hash) ? [] : hash))
    return hashes.length > 0 ? { state, address, holder, hashes, bytes: own } : []
  })
}

type Listed = [numbers: string, name: string | null, symbol: string | null]

/** A collection with the size of its tokens' bytes. */
function collectionOf([numbers, name, symbol]: Listed, epoch: string) {
  const [id, partition, address, size, longest, spam, verified] = numbers.split(' ')
  const state = shownCollection({ epoch, name, symbol, id, partition, longest, spam, verified })
  return { state, address: `0x${address}` as Address, size: Number(size) }
}

/** A collection from the texts of its columns in a list of a page's row. */
export function shownCollection(
  texts: Pick<ShownCollection, 'epoch' | 'name' | 'symbol'> &
    Record<'id' | 'partition' | 'longest' | 'spam' | 'verified', string | undefined>,
): ShownCollection {
  const { epoch, name, symbol, id, partition, longest, spam, verified } = texts
  return {
    ...{ epoch, id: BigInt(id!), partition: Number(partition), name, symbol },
    metadataLongest: Number(longest),
    possibleSpam: spam === 't',
    verified: verified === 't',
  }
}

/** A text that differs whenever the columns differ. */
export function markOf(columns: ByteRow): string {
  const lengths = Buffer.from(columns.map((column) => column?.length ?? -1).join())
  return hash('sha1', Buffer.concat([lengths, ...columns.flatMap((column) => column ?? [])]), 'base64')
}

function placeOf(text: string): WalletPlace {
  const [collection, hash] = text.split(' ') as [string, string]
  return { collection, hash }
}

function isBehind(end: WalletPlace | null, collectionId: bigint, token: string): boolean {
  if (end === null) return false
  const last = BigInt(end.collection)
  return collectionId < last || (collectionId === last && token < end.hash)
}
