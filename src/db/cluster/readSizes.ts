import type { Sql } from '../database.ts'
import { ownSchema } from '../ownSchema.ts'
import { bytesOnNodes, isDistributed } from './citus.ts'

/** The tables of each kind of data, for operators who check the disk use. */
const kinds: Record<string, readonly string[]> = {
  collections: [
    'collection',
    'collection_removal',
    'contract_deployment',
    'discovered_block',
    'discovered_contract',
    'discovered_hour',
    'left_out',
    'transaction_sender',
  ],
  tokens: ['token', 'balance', 'token_undo', 'stage_token', 'stage_balance', 'stage_held', 'stage_sole', 'stage_undo'],
  holders: ['holder', 'holder_index', 'stage_holder'],
  transfers: ['transfer', 'transfer_range'],
  wallets: [
    ...['wallet_token', 'wallet_collection', 'wallet_transfer', 'owner_count', 'wallet_due', 'stage_wallet'],
    ...['wallet', 'wallet_move', 'wallet_holding', 'wallet_wide_log', 'wallet_move_block', 'stage_move'],
  ],
  metadata: [
    'token_metadata',
    'token_document',
    'metadata_due',
    'metadata_undo',
    'trait_count',
    'token_trait',
    'token_rarity',
    'collection_host',
    'contract_metadata',
    'stage_metadata',
    'stage_gone',
  ],
  previews: ['media', 'media_source', 'media_turn'],
  coins: ['coin', 'coin_network', 'coin_state'],
  streams: [
    'stream',
    'stream_address',
    'stream_chain',
    'stream_change',
    'stream_confirmation',
    'stream_addition',
    'stream_brought',
    'stream_watched',
    'stream_since',
    'webhook_secret',
  ],
  webhooks: ['webhook', 'webhook_undelivered', 'webhook_removed', 'webhook_url', 'range_replay'],
  'webhook bodies': ['webhook_text'],
  'webhook attempts': ['webhook_attempt'],
  'webhook queue': ['webhook_queue'],
  'webhook statistics': [
    ...['webhook_matched', 'webhook_delivered', 'webhook_base'],
    ...['webhook_matched_span', 'webhook_delivered_span'],
  ],
}

/** The kind of all other tables: chains, keys, settings, leases. */
const rest = 'other'

const kinded = new Map(Object.entries(kinds).flatMap(([kind, tables]) => tables.map((table) => [table, kind])))

/** Kind of a table's data; `other` for tables whose growth needs no attention. */
export const kindOf = (table: string): string => kinded.get(table) ?? rest

/** Bytes on disk of each kind, with indexes, the largest first; on a cluster of all its nodes. */
export async function readSizes(sql: Sql): Promise<{ kind: string; bytes: number }[]> {
  const ofTable = (await isDistributed(sql)) ? bytesOnNodes('c.oid') : 'pg_total_relation_size(c.oid)'
  const rows = await sql.rows<[string, bigint]>(
    `SELECT c.relname::text, ${ofTable}::int8 FROM pg_class c
     WHERE c.relnamespace = ${ownSchema} AND c.relkind = 'r'`,
  )
  const sizes = new Map([...Object.keys(kinds), rest].map((kind) => [kind, 0]))
  for (const [table, bytes] of rows) {
    const kind = kindOf(table)
    sizes.set(kind, sizes.get(kind)! + Number(bytes))
  }
  return [...sizes].map(([kind, bytes]) => ({ kind, bytes })).sort((a, b) => b.bytes - a.bytes)
}

/**
 * Bytes on disk of the whole database: its tables, PostgreSQL's own tables, and rows not vacuumed yet. `sizes`: the result of `readSizes`. On a
 * cluster: the coordinator's database and the tables on the nodes.
 */
export async function readDatabaseBytes(sql: Sql, sizes: readonly { bytes: number }[]): Promise<number> {
  const [[own, tables] = [0n, 0n]] = await sql.rows<[bigint, bigint]>(
    `SELECT pg_database_size(current_database())::int8, coalesce(sum(pg_total_relation_size(c.oid)), 0)::int8 FROM pg_class c
     WHERE c.relnamespace = ${ownSchema} AND c.relkind = 'r'`,
  )
  return Number(own - tables) + sizes.reduce((sum, { bytes }) => sum + bytes, 0)
}
