/**
 * Packed supplies of one subject over versions: for each point, the difference of version and of supply to the previous one, as varints. The supply
 * of the chain's own coin changes with nearly every transaction, as fees are burned: about five bytes each.
 */
export type SupplyPoints = {
  /** Versions ascend; among points of one version the last one counts. */
  add(version: bigint, supply: bigint | null): void
  bytes(): Buffer
}

/** Points from version `first`. */
export function createSupplyPoints(first: bigint): SupplyPoints {
  const bytes = createBytes()
  let version = first
  let supply = 0n
  return {
    add(nextVersion, nextSupply) {
      pushVarint(bytes, nextVersion - version)
      version = nextVersion
      // 0 means none; else the difference, with its sign in the lowest bit.
      pushVarint(bytes, nextSupply === null ? 0n : 1n + zigzag(nextSupply - supply))
      supply = nextSupply ?? supply
    },
    bytes: bytes.all,
  }
}

/** The supply at the end of `version`; undefined if all points are later. `first`: as at packing. */
export function supplyAt(points: Uint8Array, first: bigint, version: bigint): bigint | null | undefined {
  let at = 0
  let pointVersion = first
  let counted = 0n
  let supply: bigint | null | undefined

  function read(): bigint {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = points[at++]!
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }

  while (at < points.length) {
    pointVersion += read()
    if (pointVersion > version) return supply
    const difference = read()
    if (difference > 0n) counted += unzigzag(difference - 1n)
    supply = difference === 0n ? null : counted
  }
  return supply
}

function zigzag(value: bigint): bigint {
  return value < 0n ? -2n * value - 1n : 2n * value
}

function unzigzag(value: bigint): bigint {
  return value & 1n ? -(value + 1n) / 2n : value / 2n
}

type Bytes = { push(byte: number): void; all(): Buffer }

/** A growing byte buffer: a list of numbers would take eight times the memory. */
function createBytes(): Bytes {
  let bytes = new Uint8Array(16)
  let length = 0
  return {
    push(byte) {
      if (length === bytes.length) {
        const longer = new Uint8Array(2 * length)
        longer.set(bytes)
        bytes = longer
      }
      bytes[length++] = byte
    },
    all: () => Buffer.from(bytes.subarray(0, length)),
  }
}

function pushVarint(bytes: Bytes, value: bigint): void {
  let remaining = value
  // Numbers take a fifth of the time of bigints, and nearly every difference fits.
  while (remaining > 0x1f_ffff_ffff_ffffn) {
    bytes.push(Number(remaining & 0x7fn) | 0x80)
    remaining >>= 7n
  }
  let small = Number(remaining)
  for (; small >= 0x80; small = Math.floor(small / 0x80)) bytes.push((small % 0x80) | 0x80)
  bytes.push(small)
}
