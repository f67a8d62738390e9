/** SQL of the transfers that one transaction takes back: those of some collections from a place on. */
export type UndoneTransfers = {
  /** These collections, as `c` with partition, collection_id and address. */
  collections: string
  /** Continues a condition on these aliases with their partition, where a cluster has to be told it (db/stages/within.ts). */
  of: (...aliases: string[]) => string
  /** A part of what is undone: an earlier part may have taken back later transfers of the same tokens. */
  isPart: boolean
}

/** SQL condition: a transfer `t` of such a collection is taken back. $1 and $2 are the place of the first one. */
export const isUndone = '(t.position, t.item) >= ($1::int8, $2::int4)'

/** SQL of the undone transfers, as `t`, to be joined with their collections `c`. */
export const undoneOf = `transfer t ON t.partition = c.partition AND t.collection_id = c.collection_id AND ${isUndone}`
