import { databaseEpoch } from '../../../db/epoch.ts'
import { partitionSql } from '../../../sync/partition.ts'
import { addressBytes, lastPositionAt, mintAt, tokenFactsOf } from '../../transfers/tokenFacts.ts'
import type { WholeOrder, WholePageOptions } from '../../walletQuery.ts'
import { createStatementTexts, metadataColumns, pageColumns } from '../rows/metadataTexts.ts'
import { metadataOfLists } from '../rows/severalSql.ts'
import { bytesOfToken } from '../rows/tokenLines.ts'
import { fitsPage, isSpam } from './walletTokens.ts'
import {
  columnsOf,
  heldOfCollections,
  heldOfCollectionsAt,
  holdings,
  isKnown,
  isNamed,
  isUnassessed,
  knownOf,
  shownByOwn,
} from './wholeHoldings.ts'
import { wholeColumns } from './wholePage.ts'
import { stateText } from './wholeState.ts'

// Statements on a wallet that is indexed over all contracts of its chain. Parameters: $1 partition of the wallet, $2 its id, $3 chain, $4 its
// address.

const tokenOf = (row: string, held: string) =>
  `token ${row} ON ${row}.partition = ${held}.c_partition AND ${row}.collection_id = ${held}.c_id AND ${row}.token_hash = ${held}.token_hash`

/** What a collection knows about its token `t`, the wallet's `h`, now or at a position: an earlier mint, and later transfers of an ERC-1155 token. */
function knownByCollection(asOf: string | undefined) {
  const { minter, mintedPosition } = asOf === undefined ? mintNow : mintAt(`${asOf}::int8`, 't')
  return {
    last_position:
      asOf === undefined ? 't.last_position' : `CASE WHEN h.erc1155 THEN ${lastPositionAt(`${asOf}::int8`, 't')} END`,
    first_position: `coalesce(${mintedPosition}, t.first_position)`,
    minter,
  }
}

const mintNow = { minter: 't.minter', mintedPosition: 't.minted_position' }

/** Record facts of a wallet's token besides hash and owner, as `tokenFacts`, with those of its collection. */
const ownFacts = ({ last_position, first_position, minter }: ReturnType<typeof knownByCollection>) =>
  `int8send(greatest(h.last_position, ${last_position})) || int8send(coalesce(${first_position}, h.minted_position, h.first_position))
    || ${addressBytes(`coalesce(${minter}, h.minter)`)} || numeric_send(h.token_id) || numeric_send(h.amount)`

const factsOfKept = ownFacts({
  last_position: 't.last_position',
  first_position: 't.first_position',
  minter: 't.minter',
})

/** The position since which a walk has its order, as a parameter; undefined: its order is not fixed. */
const positionSince = (since: boolean) => (since ? '$13::int8' : undefined)

/** Most rows of a wallet that one filtered page scans. */
export const mostSeen = 5_000

/**
 * `named`: contracts are requested. `received`: rows have the time of receipt. `first`: only the first token of each requested contract. `metadata`:
 * metadata is read with the tokens. `since`: the walk has a fixed order, see `placeSince`.
 */
export type WholeChoice = {
  complete: boolean
  hasTabled: boolean
  filtered: boolean
  named: boolean
  asOf: boolean
  order: WholeOrder
  received: boolean
  since: boolean
  first?: boolean
  metadata: WholePageOptions['metadata']
}

/** The first token of each contract in $8. */
const firstHoldings = `(
  SELECT h.* FROM unnest($8::bytea[]) AS k (contract) CROSS JOIN LATERAL (
    SELECT * FROM wallet_holding h WHERE h.partition = $1 AND h.wallet_id = $2 AND h.contract = k.contract ORDER BY h.token_hash DESC LIMIT 1
  ) h
) h`

const byContract = {
  below: '(h.contract, h.token_hash) < ($5::bytea, $6::uuid)',
  inOrder: (row: string) => `ORDER BY ${row}.contract DESC, ${row}.token_hash DESC`,
}
const byReceipt = (place: string) => ({
  below: `(h.${place}, h.contract, h.token_hash) < ($11::int8, $5::bytea, $6::uuid)`,
  inOrder: (row: string) => `ORDER BY ${row}.${place} DESC, ${row}.contract DESC, ${row}.token_hash DESC`,
})

/** Column of a token's place in the order `acquired`. */
export const placeColumn = (since: boolean) => (since ? 'place' : 'received_position')

const placesOf = ({ order, since }: Pick<WholeChoice, 'order' | 'since'>) =>
  order === 'contract' ? byContract : byReceipt(placeColumn(since))

/** Spam filter, as a parameter: null: all contracts; false: no spam; true: only spam. */
export const ofSpam = (parameter: string) =>
  `(${parameter}::bool IS NULL OR coalesce(${isSpam}, false) = ${parameter}::bool)`

/** The same, and contracts without a verdict yet: they may pass either filter. */
export const mayPass = (parameter: string) => `(${ofSpam(parameter)} OR ${isUnassessed})`

/** $8: requested contracts, or null. $9: see `mayPass`. */
const wanted = `AND ($8::bytea[] IS NULL OR h.contract = ANY($8)) AND ${mayPass('$9')}`

/** Rows of other contracts do not count as scanned: clients that need one page of a contract would find it empty. */
const ofNamed = 'AND h.contract = ANY($8::bytea[])'

/** Columns of the contract's collection `c` in rows of tokens; NULL without one. */
const ofCollection = {
  c_name: 'c.name',
  c_symbol: 'c.symbol',
  c_metadata_longest: 'c.metadata_longest',
  c_spam: isSpam,
  c_verified: 'coalesce(c.verified_override, c.verified)',
  c_status: 'c.status',
  c_named: isNamed,
  c_unassessed: isUnassessed,
  c_version: 'c.version',
  c_traits_version: 'c.traits_version',
}
const collectionNames = Object.keys(ofCollection).join(', ')

const rowColumns = (since: boolean) =>
  `contract, token_hash, token_id, amount, erc1155, facts, received_position, received_time, ${since ? 'place, ' : ''}c_id, c_partition, ${collectionNames}`

/** Input of `contractIn`. */
const numbers = `concat_ws(' ', encode(s.contract, 'hex'), coalesce(s.collection_id, 0), coalesce(s.partition, ${partitionSql('$3::int8', 's.contract')}),
    coalesce(s.c_metadata_longest, 0), coalesce(s.c_spam, false), coalesce(s.c_verified, false), ${isKnown('s.c_status')}, coalesce(s.c_named, false), s.c_unassessed, coalesce(s.c_version, 0))`

const fits = fitsPage('shown', 's.c_metadata_longest', 's.token_hashes')

const traitsVersions =
  '(SELECT json_object_agg(s.collection_id, s.c_traits_version::text) FILTER (WHERE s.collection_id IS NOT NULL)::text FROM shown s)'

/**
 * The CTE `others`: tokens of the page from tables that follow collections. Usually a chain has no such collections: initialising it costs a tenth of a
 * page. In the order `contract`, tokens are sorted before they are looked up, as a page needs few of them.
 */
function ofTables({
  complete,
  filtered,
  asOf,
  order,
  received,
  since,
  first,
}: Omit<WholeChoice, 'hasTabled' | 'named' | 'metadata'>): string {
  const { below, inOrder } = placesOf({ order, since })
  const page = `WHERE ${below} ${filtered ? wanted : ''}`
  const columns = `${first ? 'DISTINCT ON (h.contract)' : ''} h.*`
  if (asOf)
    return `others AS MATERIALIZED (
  SELECT ${columns}, ${ownFacts(knownByCollection('$10'))} AS facts, ${columnsOf(ofCollection)}
  FROM (${heldOfCollectionsAt(complete, '$10', positionSince(since))}) h LEFT JOIN ${tokenOf('t', 'h')}
  JOIN collection c ON c.partition = h.c_partition AND c.id = h.c_id
  ${page} ${inOrder('h')} LIMIT $7
)`
  const sorted = order === 'contract'
  return `tabled AS MATERIALIZED (
  SELECT h.*, ${columnsOf(ofCollection)} FROM (${heldOfCollections(complete, received, positionSince(since))}) h
  JOIN collection c ON c.partition = h.c_partition AND c.id = h.c_id
  ${sorted ? `${page} ${inOrder('h')}` : `WHERE true ${filtered ? wanted : ''}`}
), others AS MATERIALIZED (
  SELECT ${columns} FROM (
    SELECT h.contract, h.token_hash, h.amount, h.c_partition, h.c_id, t.token_id, t.erc1155, coalesce(h.received_position, t.last_position) AS received_position,
      h.received_time, ${since ? `CASE WHEN h.received_position IS NULL THEN least(t.last_position, ${positionSince(since)}) ELSE h.place END AS place,` : ''}
      ${tokenFactsOf('h.amount')} AS facts, ${collectionNames}
    FROM tabled h JOIN ${tokenOf('t', 'h')}
  ) h WHERE ${below} ${inOrder('h')} LIMIT $7
)`
}

/**
 * One row, with one token more than the limit if others follow: see `wholeColumns`. At the scan limit, later tokens do not belong to the page.
 * $5, $6 and $11: the token before the page; $7: limit plus one; $10: the last position, or null; $12: metadata tried before is stale; $13: the
 * position since which the walk has its order, or null.
 */
function tokensText({
  complete,
  hasTabled,
  filtered,
  named,
  asOf,
  order,
  received,
  since,
  first = false,
  metadata,
}: WholeChoice): string {
  const { below, inOrder } = placesOf({ order, since })
  const place = placeColumn(since)
  const last = asOf ? '$10' : undefined
  const most = filtered || !complete ? String(mostSeen) : '$7::int8'
  const inPage = (value: string) => `string_agg(${value}, '' ${inOrder('p')})`
  const scanned = (column: string) =>
    `AND ${byReceipt(column).below} ${named ? ofNamed : ''} ${byReceipt(column).inOrder('h')} LIMIT ${most}`
  return `
WITH given AS (SELECT $8::bytea[], $9::bool, $10::int8, $11::int8, $12::timestamptz, $13::int8), seen AS MATERIALIZED (
  SELECT h.* FROM ${first ? firstHoldings : holdings({ asOf: last, since: positionSince(since), page: scanned, sorted: order === 'contract' })} WHERE ${below} ${named ? ofNamed : ''} ${inOrder('h')} LIMIT ${most}
), ${knownOf('seen')}, named AS MATERIALIZED (
  SELECT h.*, c.id AS c_id, c.partition AS c_partition, CASE WHEN c.status = 'live' THEN c.id END AS live_id, ${columnsOf(ofCollection)}
  FROM seen h FULL JOIN known c ON c.address = h.contract
  WHERE ${shownByOwn(complete)} ${filtered ? wanted : ''} ${inOrder('h')} LIMIT $7
), kept AS MATERIALIZED (
  SELECT t.collection_id, t.token_hash, ${columnsOf(knownByCollection(last))}
  FROM named h JOIN token t ON t.partition = h.c_partition AND t.collection_id = h.live_id AND t.token_hash = h.token_hash
), ${hasTabled ? 'own' : 'page'} AS MATERIALIZED (
  SELECT h.contract, h.token_hash, h.token_id, h.amount, h.erc1155, ${factsOfKept} AS facts, h.received_position, h.received_time,
    ${since ? 'h.place, ' : ''}h.c_id, h.c_partition, ${collectionNames}
  FROM named h LEFT JOIN kept t ON t.collection_id = h.live_id AND t.token_hash = h.token_hash
)${
    hasTabled
      ? `, ${ofTables({ complete, filtered, asOf, order, received, since, first })}, page AS MATERIALIZED (
  SELECT * FROM (SELECT ${rowColumns(since)} FROM own UNION ALL SELECT ${rowColumns(since)} FROM others) h ${inOrder('h')} LIMIT $7
)`
      : ''
  }, shown AS MATERIALIZED (
  SELECT contract, c_id AS collection_id, c_partition AS partition, ${collectionNames}, array_agg(token_hash) AS token_hashes
  FROM page GROUP BY contract, c_id, c_partition, ${collectionNames}
)
SELECT ${wholeColumns.select({
    end: `(SELECT concat_ws(' ', l.${place}, encode(l.contract, 'hex'), encode(uuid_send(l.token_hash), 'hex'), (SELECT max(s.${place}) FROM seen s))
  FROM (SELECT s.contract, s.token_hash, s.${place} FROM seen s ${inOrder('s')} OFFSET ${most} - 1 LIMIT 1) l)`,
    epoch: `(SELECT ${databaseEpoch.sql})`,
    contracts: 't.contracts',
    bytes: 't.bytes',
    received: 't.received',
    places: since ? 't.places' : undefined,
    times: 't.times',
    collections: `(SELECT json_agg(json_build_array(${numbers}, s.c_name, s.c_symbol) ORDER BY s.contract)::text FROM shown s)`,
    state: first ? undefined : stateText({ chain: '$3', wallet: '$4' }),
    metadataRead: metadata ? `${fits}::text` : undefined,
  })}${metadata ? `, ${pageColumns.select({ ...metadataColumns.of('d'), traitsVersions: metadata.normalized ? traitsVersions : undefined })}` : ''}
FROM (
  SELECT ${inPage('p.contract')} AS contracts, ${inPage(bytesOfToken('p.erc1155', 'p.token_hash', '$4::bytea', 'p.facts'))} AS bytes,
    ${inPage('int8send(p.received_position)')} AS received, ${since ? `${inPage('int8send(p.place)')} AS places, ` : ''}${received ? inPage('int8send(coalesce(p.received_time, -1))') : 'NULL::bytea'} AS times
  FROM page p
) t${metadata ? ` CROSS JOIN (${metadataOfLists(metadata, { lists: 'shown', where: fits, staleBefore: '$12::timestamptz' })}) d` : ''}`
}

/** A page of tokens: see `tokensText`. */
export const tokensSql = createStatementTexts(tokensText)
