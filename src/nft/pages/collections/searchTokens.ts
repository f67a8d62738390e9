import type { Database, Sql } from '../../../db/database.ts'
import { defineLists, list } from '../../../db/defineLists.ts'
import { column, defineRow, type RowOf } from '../../../db/defineRow.ts'
import { type Finder, type Found, type SearchOptions, searchWithin } from '../../../db/searchWithin.ts'
import { partitionOf } from '../../../sync/partition.ts'
import { type Address, bufferToHex, hexToBuffer } from '../../../util/hex.ts'
import { isCollection } from '../../collection/coveredTo.ts'
import { tokenHash } from '../../transfers/tokenHash.ts'
import { readChains } from './searchCollections.ts'

/** A found, listed token. */
export type FoundToken = { chainId: bigint; address: Address; collectionName: string | null; tokenId: string }

/** A token, parsed from a search text. */
type TokenText = { chain: string | undefined; address: Address | undefined; tokenId: string }

/** Most collections that are searched for an id alone, and how many per statement. */
const mostCollections = 5_000
const atOnce = 500

const candidateRow = defineRow({
  chainId: column.int8('c.chain_id'),
  partition: column.int2('c.partition'),
  id: column.int8('c.id'),
  address: column.bytea('c.address').map(bufferToHex),
  name: column.text('c.name').orNull(),
})

type Candidate = RowOf<typeof candidateRow>

/**
 * Tokens by a text such as `7`, `0x…/7` (contract and id) or `eth/0x…/7`. An id alone is searched in the first `mostCollections` collections.
 * `chainIdOf`: the chain id of a name or id; undefined: unknown.
 */
export async function searchTokens(
  db: Database,
  options: SearchOptions & { chainIdOf: (chain: string) => Promise<bigint | undefined> },
): Promise<Found<FoundToken>> {
  const requested = parseToken(options.text)
  const none = { items: [], more: false, cutShort: false }
  if (!requested) return none
  const { chain, address, tokenId } = requested
  const chainId = chain === undefined ? null : await options.chainIdOf(chain)
  if (chainId === undefined) return none
  const finder = address ? inContract(chainId, address, tokenId) : inAll(tokenId)
  return searchWithin(db, options, (found) => `${found.chainId}:${found.address}`, [finder])
}

function parseToken(text: string): TokenText | undefined {
  const match = /^(?:(?:([^/]+)\/)?(0x[0-9a-f]{40})\/)?(\d{1,78})$/i.exec(text)
  if (!match) return undefined
  return {
    chain: match[1],
    address: match[2]?.toLowerCase() as Address | undefined,
    tokenId: String(BigInt(match[3]!)),
  }
}

function inContract(chainId: bigint | null, address: Address, tokenId: string): Finder<FoundToken> {
  return async (sql, most) => {
    const chains = chainId === null ? await readChains(sql) : [chainId]
    const rows = await sql.rows(
      `SELECT ${candidateRow.columns} FROM unnest($1::smallint[], $2::bigint[]) AS v (partition, chain_id)
         JOIN collection c ON c.partition = v.partition AND c.chain_id = v.chain_id AND c.address = $3
       ORDER BY c.chain_id`,
      [chains.map((id) => partitionOf(id, address)), chains, hexToBuffer(address)],
    )
    return { items: await having(sql, rows.map(candidateRow.decode), tokenId, most) }
  }
}

function inAll(tokenId: string): Finder<FoundToken> {
  return async (sql, most, isOver) => {
    const items: FoundToken[] = []
    let last: Candidate | undefined
    for (let looked = 0; looked < mostCollections; looked += atOnce) {
      if (isOver()) return { items, cutShort: true }
      const candidates = await readCandidates(sql, last)
      for (const item of await having(sql, candidates, tokenId, most - items.length)) items.push(item)
      if (items.length >= most || candidates.length < atOnce) return { items }
      last = candidates.at(-1)
    }
    return { items, cutShort: true }
  }
}

/** A token that a collection may list. `place`: index of the collection among the candidates. */
const requested = defineLists<Candidate & { tokenId: string }>({
  place: list.int4((_, place) => place),
  partition: list.int2(({ partition }) => partition),
  id: list.int8(({ id }) => id),
  hash: list.uuid(({ address, tokenId }) => tokenHash(address, tokenId)),
})

/** Listed tokens with this id in these collections. */
async function having(sql: Sql, of: readonly Candidate[], tokenId: string, most: number): Promise<FoundToken[]> {
  const rows = await sql.rows<[number]>(
    `SELECT v.place FROM ${requested.unnest(2)}
       JOIN token t ON t.partition = v.partition AND t.collection_id = v.id AND t.token_hash = v.hash AND t.amount > 0
     ORDER BY v.place LIMIT $1`,
    [most, ...requested.lists(of.map((candidate) => ({ ...candidate, tokenId })))],
  )
  return rows.map(([place]) => {
    const { chainId, address, name } = of[place]!
    return { chainId, address, collectionName: name, tokenId }
  })
}

async function readCandidates(sql: Sql, last: Candidate | undefined): Promise<Candidate[]> {
  const rows = await sql.rows(
    `SELECT ${candidateRow.columns} FROM collection c WHERE ${isCollection('c')} AND ($1::bigint IS NULL OR (c.chain_id, c.address) > ($1, $2::bytea))
     ORDER BY c.chain_id, c.address LIMIT ${atOnce}`,
    [last?.chainId ?? null, last ? hexToBuffer(last.address) : null],
  )
  return rows.map(candidateRow.decode)
}
