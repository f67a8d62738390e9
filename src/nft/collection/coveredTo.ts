/**
 * SQL of the last block up to which collection `c` is covered without a gap; null: no block is. `h` is its chain. A live collection is covered
 * as far as its chain is followed, any other one as far as its own coverage goes. A contract that is known to have no NFTs will have none in
 * later blocks either, so it is covered up to the head.
 */
export const coveredTo = `CASE
  WHEN c.status = 'live' THEN h.block_number
  WHEN c.status = 'none' AND c.reason IS NULL THEN coalesce(h.head_number, c.to_block)
  ELSE c.to_block
END`

/**
 * SQL of where collection `c` stands, in one text: its version, and the block at whose end its transfers are, by number and while its chain `h`
 * is followed by hash. Both are others wherever the transfers are.
 */
export const standing = `concat_ws(' ', c.version, ${coveredTo}, CASE WHEN c.status = 'live' THEN encode(h.block_hash, 'hex') END)`
