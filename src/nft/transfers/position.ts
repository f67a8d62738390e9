/**
 * Position of a log in its chain: block number × 2^20 + log index. Exact as a double up to block 2^33 (8.5 billion); no block has 2^20 logs, as each
 * costs at least 375 gas.
 */
export const positionsPerBlock = 1_048_576

/** Positions per block range of `transfer_range`: 128 blocks. */
export const positionsPerRange = 128 * positionsPerBlock

/** The block range of a position. */
export function rangeOf(position: number): number {
  return Math.floor(position / positionsPerRange)
}

export function positionOf(block: number, logIndex: number): number {
  return block * positionsPerBlock + logIndex
}

/** The first position of a block: all positions below it are in earlier blocks. */
export function firstPositionOf(block: bigint): bigint {
  return block * BigInt(positionsPerBlock)
}

/** The last position of a block: all positions above it are in later blocks. */
export function lastPositionOf(block: bigint): bigint {
  return firstPositionOf(block + 1n) - 1n
}

export function blockOfPosition(position: bigint): bigint {
  return position / BigInt(positionsPerBlock)
}

export function logIndexOfPosition(position: bigint): number {
  return Number(position % BigInt(positionsPerBlock))
}

/** Place of a transfer in its chain: a log may have several. */
export type Place = { position: bigint; item: number }

/** The place before all transfers of a block. */
export const firstPlaceOf = (block: bigint): Place => ({ position: firstPositionOf(block), item: 0 })
