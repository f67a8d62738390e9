import type { Sql } from '../../../db/database.ts'
import { defineLists, list } from '../../../db/defineLists.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import type { Standard } from '../../transfers/decodeTransfers.ts'
import { keyed } from '../../transfers/keyed.ts'
import type { DueToken } from '../parse/outcome.ts'
import type { MetadataSlice } from './metadataStore.ts'
import { tokenPriorities, tokenPriority } from './schedule.ts'

/** A due token with its priority, one of `tokenPriority`. */
export type QueuedToken = DueToken & { priority: number }

/** The due tokens of a collection during one time slice: no other slice reads them meanwhile. */
export type DueTokens = {
  /**
   * The next tokens of at least priority `least`, in the order of `tokenPriority`; empty: no others are due. A token that a client requests again
   * before `begin` is returned a second time.
   */
  next(limit: number, least?: number): Promise<QueuedToken[]>
  /**
   * True if the token must be read now. It is read once per slice, so that no metadata is read twice at a time. If a client requests it again after
   * `begin`, it is still due when the slice ends. False if `next` returned the token again since: the later one is read instead.
   */
  begin(token: QueuedToken): boolean
}

/** The last returned token of a priority. */
type Place = { priority: number; dueAt: Date | '-infinity'; hash: string }

const start = { dueAt: '-infinity', hash: 'ffffffff-ffff-ffff-ffff-ffffffffffff' } as const

const placeLists = defineLists<Place>({
  priority: list.int2(({ priority }) => priority),
  due_at: list.timestamptz(({ dueAt }) => dueAt),
  token_hash: list.uuid(({ hash }) => hash),
})

const dueRow = defineRow({
  hash: column.uuid('d.token_hash'),
  tokenId: column.numeric('d.token_id'),
  dueAt: column.timestamptz('d.due_at'),
  attempts: column.int4('d.attempts'),
  priority: column.int2('d.priority'),
  announcedAt: column.text('d.announced_at::text').orNull(),
})

const ofPriority = 'd.partition = $1 AND d.collection_id = $2 AND d.priority = p.priority'

/**
 * The next tokens: those of each priority after its place. Among tokens that became due together, the first ones of lists come first, so that the
 * first page gets its metadata early.
 */
const selectDue = `
SELECT ${dueRow.columns}
FROM ${placeLists.unnest(4, 'p')}
CROSS JOIN LATERAL (
  (SELECT d.* FROM metadata_due d WHERE ${ofPriority} AND d.due_at = p.due_at AND d.token_hash < p.token_hash
   ORDER BY d.token_hash DESC LIMIT $3)
  UNION ALL
  (SELECT d.* FROM metadata_due d WHERE ${ofPriority} AND d.due_at > p.due_at AND d.due_at <= now()
   ORDER BY d.due_at, d.token_hash DESC LIMIT $3)
) d
ORDER BY d.priority DESC, d.due_at, d.token_hash DESC LIMIT $3`

export function createDueTokens(sql: Sql, { partition, id }: Pick<MetadataSlice, 'partition' | 'id'>): DueTokens {
  const places = new Map<number, Place>(tokenPriorities.map((priority) => [priority, { priority, ...start }]))
  const given = new Map<string, QueuedToken>()
  const started = new Set<string>()

  async function read(limit: number, least: number): Promise<QueuedToken[]> {
    const after = [...places.values()].filter(({ priority }) => priority >= least)
    const rows = await sql.rows(selectDue, [partition, id, limit, ...placeLists.lists(after)])
    const tokens = rows.map(dueRow.decode)
    for (const { priority, dueAt, hash } of tokens) places.set(priority, { priority, dueAt, hash })
    return tokens
  }

  return {
    async next(limit, least = tokenPriority.none) {
      for (;;) {
        const tokens = await read(limit, least)
        const others = tokens.filter(({ hash }) => !started.has(hash))
        for (const token of others) given.set(token.hash, token)
        if (others.length > 0 || tokens.length === 0) return others
      }
    },
    begin(token) {
      if (given.get(token.hash) !== token) return false
      given.delete(token.hash)
      started.add(token.hash)
      return true
    },
  }
}

const selectErc1155 = `
SELECT replace(t.token_hash::text, '-', '')
FROM ${keyed({ table: 'token', row: 't', list: '$3::uuid[]', columns: 't.token_hash, t.erc1155' })} WHERE t.erc1155`

/** Groups tokens of a slice by their standard, which decides the call for the URI. Keeps their order. */
export async function groupByStandard<T extends { hash: string }>(
  sql: Sql,
  { partition, id, standard, mixed }: MetadataSlice,
  tokens: readonly T[],
): Promise<Map<Standard, T[]>> {
  if (!mixed) return new Map([[standard, [...tokens]]])
  const keys = [partition, id, tokens.map(({ hash }) => hash)]
  const found = new Set((await sql.rows<[string]>(selectErc1155, keys)).map(([hash]) => hash))
  return Map.groupBy(tokens, ({ hash }) => (found.has(hash.replaceAll('-', '')) ? 'ERC1155' : 'ERC721'))
}
