import { LRUCache } from 'lru-cache'
import type { Sql } from '../../../db/database.ts'
import { type Address, hexToBuffer } from '../../../util/hex.ts'
import type { HolderAddresses, HolderPageOptions, HolderRow, HolderRowsPage } from '../../holderQuery.ts'
import type { CollectionState } from '../../query.ts'
import { versionOf } from '../rows/syncPosition.ts'

/**
 * Holders in the table `holder`, which `nft/holders` writes. undefined: those of the collection are not complete there. `version`: of the collection,
 * in the snapshot of the statement.
 */
export type IndexedHolders = {
  page(options: PageOptions): Promise<Versioned<HolderRowsPage> | undefined>
  addresses(options: {
    state: CollectionState
    after: Address | null
    limit: number
  }): Promise<Versioned<HolderAddresses> | undefined>
}

type PageOptions = Omit<HolderPageOptions, 'asOf'>
type Versioned<T> = T & { version: string | null }

/** Most pages read ahead; one of 1,000 holders takes 200 kB. */
const mostAhead = 64

export function createIndexedHolders(sql: Sql): IndexedHolders {
  const ahead = new LRUCache<string, Promise<Versioned<HolderRowsPage> | undefined>>({ max: mostAhead })

  async function read({ state, order, after, limit, minAmount }: PageOptions) {
    const key = [state.partition, state.id]
    const place = order === 'amount' ? [`-${after?.amount ?? '0'}`] : []
    const isFirst = after === null
    const values = [...key, String(minAmount), limit + 1, ...(isFirst ? [] : [hexToBuffer(after.owner), ...place])]
    const [row] = await sql.rows<Found>(statements[order][isFirst ? 'first' : 'next'], values)
    if (!row) return undefined
    const [version, all, fitting, total, text] = row
    const rows = parseRows(text)
    const shown = rows.length > limit ? rows.slice(0, limit) : rows
    const last = rows.length > limit ? shown.at(-1)! : null
    const count = minAmount > 1n && fitting !== null ? fitting : all
    return {
      ...{ version, rows: shown, count: Number(count), total },
      last: last && { amount: last.amount, owner: last.owner },
    }
  }

  /** The page, if it was read ahead and the collection has not changed. */
  async function readAhead(name: string, { version }: CollectionState) {
    const found = await ahead.get(name)
    ahead.delete(name)
    return found?.version === String(version) ? found : undefined
  }

  return {
    /**
     * While a client reads the second or a later page of a walk, the next one is prefetched: this halves the time that a walk waits for PostgreSQL.
     */
    async page(options) {
      const found = (await readAhead(nameOf(options), options.state)) ?? (await read(options))
      if (options.after && found?.last) {
        const next = { ...options, after: found.last }
        ahead.set(
          nameOf(next),
          read(next).catch(() => undefined),
        )
      }
      return found
    },

    async addresses({ state, after, limit }) {
      const values = [state.partition, state.id, after ? hexToBuffer(after) : Buffer.alloc(0), limit + 1]
      const rows = await sql.rows<[string | null, bigint, string | null]>(selectAddresses, values)
      if (rows.length === 0) return undefined
      const [version, count] = rows[0]!
      const texts = rows.flatMap(([, , part]) => (part === null ? [] : [Buffer.from(part, 'latin1')]))
      const isCut = texts.reduce((sum, { length }) => sum + length, 0) > limit * addressTextLength
      if (isCut) dropEnd(texts, addressTextLength)
      dropEnd(texts, 1)
      // The last address, without its quotes.
      const last = isCut ? (texts.at(-1)!.subarray(-43, -1).toString('latin1') as Address) : null
      return { version, texts, count: Number(count), last }
    },
  }
}

/** Shortens the last part, and drops it if it is empty then. */
function dropEnd(texts: Buffer[], bytes: number): void {
  const last = texts.pop()
  if (last && last.length > bytes) texts.push(last.subarray(0, last.length - bytes))
}

const nameOf = ({ state, order, after, limit, minAmount }: PageOptions) =>
  [state.epoch, state.id, order, after?.amount, after?.owner, limit, minAmount].join(' ')

/** Length of an address as JSON text with its comma. */
export const addressTextLength = 45

/** Addresses in a text: 90 kB. A process spends more time on collecting garbage if texts are longer. */
const addressesPerText = 2_000

/** A row has many addresses: 50,000 texts would take this process 20 ms. */
const selectAddresses = `
SELECT ${versionOf({ partition: '$1', id: '$2' })}, i.holders, p.text
FROM holder_index i LEFT JOIN LATERAL (
  SELECT h.part, string_agg('"0x' || encode(h.holder, 'hex') || '",', '' ORDER BY h.holder) AS text FROM (
    SELECT h.holder, (row_number() OVER (ORDER BY h.holder) - 1) / ${addressesPerText} AS part FROM holder h
    WHERE h.partition = $1 AND h.collection_id = $2 AND h.holder > $3::bytea ORDER BY h.holder LIMIT $4
  ) h GROUP BY h.part
) p ON true
WHERE i.partition = $1 AND i.collection_id = $2 AND i.built ORDER BY p.part`

type Found = [version: string | null, all: bigint, fitting: bigint | null, total: string, text: string | null]

function parseRows(text: string | null): HolderRow[] {
  if (text === null) return []
  return text.split(',').map((entry) => {
    const [owner, amount, tokens] = entry.split(' ') as [Address, string, string]
    return { owner, amount, tokens: Number(tokens) }
  })
}

/**
 * `place`: sort key of a row, a single value, so that PostgreSQL need not sort again for the text. $5: the address before the page; $6: its negated
 * amount. Their pair is one value, which only the index has in its order.
 */
const orders = {
  amount: {
    place: '-h.amount',
    after: '(-h.amount, h.holder) > ($6::numeric, $5::bytea)',
    enough: '-h.amount <= -$3::numeric',
  },
  address: { place: '1', after: 'h.holder > $5::bytea', enough: 'h.amount >= $3::numeric' },
}

const ofCollection = 'h.partition = $1 AND h.collection_id = $2'

/**
 * Holders with enough are counted only for the first page, which reads the index up to the last of them. Later pages have the count in their cursor.
 */
function statement({ place, after, enough }: (typeof orders)['amount'], isFirst: boolean): string {
  const fitting = `(SELECT count(*) FROM holder h WHERE ${ofCollection} AND ${orders.amount.enough})`
  return `
SELECT ${versionOf({ partition: '$1', id: '$2' })}, i.holders, ${isFirst ? `CASE WHEN $3::numeric > 1 THEN ${fitting} END` : 'NULL::int8'}, i.pieces::text, (
  SELECT string_agg('0x' || encode(h.holder, 'hex') || ' ' || h.amount::text || ' ' || h.tokens::text, ',' ORDER BY h.place, h.holder) FROM (
    SELECT h.holder, h.amount, h.tokens, ${place} AS place FROM holder h
    WHERE ${ofCollection} AND ${enough}${isFirst ? '' : ` AND ${after}`} ORDER BY place, h.holder LIMIT $4
  ) h
)
FROM holder_index i WHERE i.partition = $1 AND i.collection_id = $2 AND i.built`
}

const both = (order: (typeof orders)['amount']) => ({ first: statement(order, true), next: statement(order, false) })

const statements = { amount: both(orders.amount), address: both(orders.address) }
