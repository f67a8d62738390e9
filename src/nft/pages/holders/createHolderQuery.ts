import { LRUCache } from 'lru-cache'
import { type Database, joinByKeys, type Sql } from '../../../db/database.ts'
import { BeingMadeError } from '../../../util/errors.ts'
import { type Address, hexToBuffer } from '../../../util/hex.ts'
import { shareCalls } from '../../../util/shareCalls.ts'
import type { HolderPageOptions, HolderQuery, HolderRowsPage, HoldersOf } from '../../holderQuery.ts'
import { requestHolders } from '../../holders/buildHolders.ts'
import type { CollectionState } from '../../query.ts'
import { type Standards, standardsOf } from '../../transfers/decodeTransfers.ts'
import { lastPositionOf } from '../../transfers/position.ts'
import { tokenHash } from '../../transfers/tokenHash.ts'
import { readHolders } from '../rows/readHolders.ts'
import { rejectMoved } from '../rows/syncPosition.ts'
import { createHolderList, type HolderList } from './holderList.ts'
import { selectBalances, selectHolderList, selectKeptBalances, withoutNestedLoops } from './holderSql.ts'
import { createIndexedHolders } from './indexedHolders.ts'

/** Memory of cached holder lists in bytes. A million holders take 45 MB. */
const keptBytes = 134_217_728

/** Holders from which the database keeps a list: a shorter one is read in about 10 ms. */
const manyHolders = 2_000

/** Most tokens of all holders on a page except the last. */
const mostBalances = 100_000

/** Waiting callers get the error of a failed read; there may be none. */
const ignoreAfterwards = () => undefined

const noHolders = createHolderList(Buffer.alloc(0), '0')

/** A list of holders with its collection's version. */
type Listed = { list: HolderList; version: string | null }

/**
 * Reads holders of collections. One statement reads the whole list, which is cached while the collection does not change, so that a walk reads
 * nothing more. For collections with many holders, the first request makes the database keep them in page order (`nft/holders`).
 */
export function createHolderQuery(options: {
  db: Database
  /** Connections for slow statements; default: `db`. */
  background?: Database | undefined
  /** The primary, for requests of kept lists, if `db` is a replica. */
  primary?: Database | undefined
  /** How long a request waits for a list, whose read then continues. */
  waitMs?: number
}): HolderQuery {
  const { db, background = db, primary = db, waitMs = 4_000 } = options
  const indexedHolders = createIndexedHolders(db)
  const lists = new LRUCache<string, Listed>({ maxSize: keptBytes, sizeCalculation: ({ list }) => list.size + 1_000 })
  const shared = shareCalls<Listed | 'moved'>()

  const valuesOf = ({ state, asOf }: HoldersOf) => [
    ...[state.partition, state.id],
    ...(asOf ? [lastPositionOf(asOf.block), asOf.block, hexToBuffer(asOf.hash)] : []),
  ]
  const momentOf = ({ asOf }: HoldersOf) => (asOf ? ('then' as const) : ('now' as const))

  async function readList(of: HoldersOf, standards: Standards): Promise<Listed | 'moved'> {
    const read = (sql: Sql) =>
      sql.rows<[mark: string | null, total: string, rows: Buffer | null]>(
        selectHolderList(standards, momentOf(of)),
        valuesOf(of),
      )
    const [row] = await (of.asOf ? read(background) : background.transaction(read, withoutNestedLoops))
    const [mark, total, rows] = row!
    if (of.asOf && mark !== 'true') return 'moved'
    return { list: await (rows ? createHolderList(rows, total) : noHolders), version: of.asOf ? null : mark }
  }

  /** A million holders take PostgreSQL seconds, so the result is cached even if the request that started the read has ended. */
  async function readAndKeep(name: string, of: HoldersOf, standards: Standards): Promise<Listed | 'moved'> {
    const listed = await readList(of, standards)
    if (listed === 'moved') return listed
    if (of.asOf || listed.version === String(of.state.version)) lists.set(name, listed)
    if (!of.asOf && listed.list.count >= manyHolders) requestHolders(primary, of.state).catch(ignoreAfterwards)
    return listed
  }

  async function readWithin(read: Promise<Listed | 'moved'>): Promise<Listed | 'moved'> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      const fail = () => reject(new BeingMadeError('the list of holders is being read; retry'))
      timer = setTimeout(fail, waitMs).unref()
    })
    try {
      return await Promise.race([read, late])
    } finally {
      clearTimeout(timer)
      read.catch(ignoreAfterwards)
    }
  }

  async function listOf(of: HoldersOf): Promise<HolderList | 'moved'> {
    const { state, asOf } = of
    const standards = standardsOf(state)
    if (standards === null) return noHolders
    const name = nameOf(of)
    let listed: Listed | 'moved' | undefined = lists.get(name)
    if (!listed) {
      listed = await readWithin(shared(name, () => readAndKeep(name, of, standards)))
      if (listed === 'moved') return listed
    }
    if (!asOf) await rejectVersion(state, listed.version)
    return listed.list
  }

  const rejectVersion = (state: CollectionState, version: string | null) =>
    rejectMoved(db, state, version === null ? null : BigInt(version))

  const nameOf = ({ state, asOf }: HoldersOf) => `${state.epoch}:${state.id}:${asOf ? asOf.hash : state.version}`

  /** Result from indexed holders; undefined: the list is needed. */
  async function indexedOf<T extends { version: string | null }>(
    of: HoldersOf,
    read: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const known = lists.get(nameOf(of))
    if (of.asOf || (known && known.list.count < manyHolders)) return undefined
    const found = await read()
    if (found) await rejectVersion(of.state, found.version)
    return found
  }

  async function page(options: HolderPageOptions): Promise<HolderRowsPage | 'moved'> {
    const found = await indexedOf(options, () => indexedHolders.page(options))
    if (found) return found
    const list = await listOf(options)
    return list === 'moved' ? list : list.page(options)
  }

  /** From kept holders; undefined: they are not ready. */
  async function keptBalances(state: CollectionState, after: Address | null, limit: number) {
    const values = [state.partition, state.id, ...placeOf(after, limit)]
    const readKept = (sql: Sql) => sql.rows<Balances>(selectKeptBalances, values)
    const [row] = await db.transaction(readKept, joinByKeys)
    if (!row) return undefined
    await rejectVersion(state, row[0])
    return balancesOf(row)
  }

  return {
    page,

    async addresses({ after, limit, ...of }) {
      const found = await indexedOf(of, () => indexedHolders.addresses({ state: of.state, after, limit }))
      if (found) return found
      const list = await listOf(of)
      return list === 'moved' ? list : list.addresses({ after, limit })
    },

    async balances({ after, limit, ...of }) {
      const { state, asOf } = of
      const standards = standardsOf(state)
      if (standards === null) return { holders: '', last: null, count: 0 }
      const isMany = state.tokens >= manyHolders
      if (!asOf && (isMany || standards !== 'ERC721')) {
        const kept = await keptBalances(state, after, limit)
        if (kept) return kept
        if (isMany) requestHolders(primary, state).catch(ignoreAfterwards)
      }
      const values = valuesOf(of)
      const [first, second, third] = [1, 2, 3].map((n) => `$${values.length + n}`) as [string, string, string]
      const form = { after: first, limit: second, most: third }
      const read = (sql: Sql) =>
        sql.rows<Balances>(selectBalances(standards, momentOf(of), form), [...values, ...placeOf(after, limit)])
      const [row] = await (asOf ? read(db) : db.transaction(read, withoutNestedLoops))
      const [mark] = row!
      if (asOf && mark !== 'true') return 'moved'
      if (!asOf) await rejectVersion(state, mark)
      const found = balancesOf(row!)
      if (!asOf && !isMany && found.count >= manyHolders) requestHolders(primary, state).catch(ignoreAfterwards)
      return found
    },

    async ofToken({ state, address, tokenId, after, limit }) {
      const token = tokenHash(address, String(tokenId))
      if (standardsOf(state) === null) return { owners: [], last: null }
      const place = after === null ? null : { hash: token, holder: after }
      const { holders, version } = await readHolders(db, { state, token, after: place, limit: limit + 1 })
      await rejectVersion(state, version)
      const found = holders.map(({ holder }) => holder)
      const owners = found.slice(0, limit)
      return { owners, last: found.length > limit ? owners.at(-1)! : null }
    },
  }
}

/** Parameters of a page of holders with tokens. */
const placeOf = (after: Address | null, limit: number) =>
  [after === null ? Buffer.alloc(0) : hexToBuffer(after), limit, mostBalances] as const

type Balances = [mark: string | null, text: string | null, isCut: boolean | null, count: bigint]

function balancesOf([, text, isCut, count]: Balances) {
  return { holders: text ?? '', last: text !== null && isCut ? lastOf(text) : null, count: Number(count) }
}

const addressDigits = 40

/** The last holder in a text of holders with tokens. */
function lastOf(text: string): Address {
  const from = text.lastIndexOf(';') + 1
  return `0x${text.slice(from, from + addressDigits)}`
}
