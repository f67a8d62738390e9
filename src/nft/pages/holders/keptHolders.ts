import { LRUCache } from 'lru-cache'
import type { Sql } from '../../../db/database.ts'
import { type Address, hexToBuffer } from '../../../util/hex.ts'
import type { HolderAddresses, HolderPageOptions, HolderRow, HolderRowsPage } from '../../holderQuery.ts'
import type { CollectionState } from '../../query.ts'
import { versionOf } from '../rows/standing.ts'

/**
 * Holders that are kept in `holder`, which `nft/holders` writes. undefined: those of the collection are not, or not all of them yet. `version`: of the
 * collection, at the moment of the statement.
 */
export type KeptHolders = {
  page(options: PageOptions): Promise<Versioned<HolderRowsPage> | undefined>
  addresses(options: {
    state: CollectionState
    after: Address | null
    limit: number
  }): Promise<Versioned<HolderAddresses> | undefined>
}

type PageOptions = Omit<HolderPageOptions, 'asOf'>
type Versioned<T> = T & { version: string | null }

/** Pages that are read ahead at most; one of 1,000 holders takes 200 kB. */
const mostAhead = 64

export function createKeptHolders(sql: Sql): KeptHolders {
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

  /** The page, where it was read ahead and the collection is as it was then. */
  async function readAhead(name: string, { version }: CollectionState) {
    const found = await ahead.get(name)
    ahead.delete(name)
    return found?.version === String(version) ? found : undefined
  }

  return {
    /** While a client has the second page of a walk, or a later one, the next one is read: a walk then waits for PostgreSQL half as long. */
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
      const [row] = await sql.rows<[string | null, bigint, string | null]>(selectAddresses, values)
      if (!row) return undefined
      const [version, count, all] = row
      const texts = (all ?? '').slice(0, limit * addressTextLength - 1)
      const isCut = texts.length < (all ?? '').length
      return { version, texts, count: Number(count), last: isCut ? (texts.slice(-43, -1) as Address) : null }
    },
  }
}

const nameOf = ({ state, order, after, limit, minAmount }: PageOptions) =>
  [state.epoch, state.id, order, after?.amount, after?.owner, limit, minAmount].join(' ')

/** Of an address as a JSON text, with its comma. */
export const addressTextLength = 45

/** One text: 50,000 texts would take this process 20 ms. */
const selectAddresses = `
SELECT ${versionOf({ partition: '$1', id: '$2' })}, i.holders, (
  SELECT string_agg('"0x' || encode(h.holder, 'hex') || '"', ',' ORDER BY h.holder) FROM (
    SELECT h.holder FROM holder h WHERE h.partition = $1 AND h.collection_id = $2 AND h.holder > $3::bytea ORDER BY h.holder LIMIT $4
  ) h
)
FROM holder_index i WHERE i.partition = $1 AND i.collection_id = $2 AND i.built`

type Found = [version: string | null, all: bigint, fitting: bigint | null, total: string, text: string | null]

function parseRows(text: string | null): HolderRow[] {
  if (text === null) return []
  return text.split(',').map((entry) => {
    const [owner, amount, tokens] = entry.split(' ') as [Address, string, string]
    return { owner, amount, tokens: Number(tokens) }
  })
}

/**
 * `place`: of a row in an order of rows of one value each, so that PostgreSQL sorts none again for the text. $5: the address after which a page begins; $6:
 * minus its amount. Their pair is one value, which only the index has in its order.
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

/** Those with enough pieces are counted for the first page alone, which reads the index up to the last of them. Each further page has the count from its cursor. */
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
