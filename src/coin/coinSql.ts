import { defineLists, list } from '../db/defineLists.ts'
import type { Coin } from './coin.ts'
import { renderRecord } from './record.ts'

/** Coins as a statement gets them. */
export const coinLists = defineLists<Coin>({
  coin_type_hash: list.bytea((c) => Buffer.from(c.hash, 'hex')),
  version: list.int8((c) => c.version),
  record: list.text(renderRecord),
})

/** `coins AS (…)` in a WITH clause, from the parameters after $1 that `coinLists` makes. */
export const coinsCte = `coins AS (SELECT * FROM ${coinLists.unnest(2)})`

/** The columns that an earlier write of the same coin replaces. */
export const replaceCoin = 'version = excluded.version, record = excluded.record'

/**
 * The coins `c` of network $1 that pages list, up to the shown version $2: those above it may still turn out to be older than they
 * look.
 */
export const isShown = 'c.network_id = $1 AND c.shown AND (c.version <= $2 OR c.imported)'
