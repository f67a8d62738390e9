/** Pseudo-random numbers from a seed, so that a failing test can be repeated. */
export type Random = {
  seed: number
  /** At least 0, below 1. */
  next(): number
  /** At least 0, below `end`. */
  int(end: number): number
  /** True with this probability. */
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** A random number below 2^256. */
  uint256(): bigint
}

/** mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (end: number) => Math.floor(next() * end)
  return {
    seed,
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (list) => list[int(list.length)]!,
    uint256: () => Array.from({ length: 8 }, () => BigInt(int(4_294_967_296))).reduce((sum, n) => (sum << 32n) | n, 0n),
  }
}

/** A seed that differs from run to run; `SEED=123 npm test -- file` repeats the run that printed 123. */
export function freshSeed(): number {
  // biome-ignore lint/style/noProcessEnv: how a run is repeated
  const given = process.env.SEED
  if (given !== undefined) return Number(given)
  return Math.floor(Math.random() * 4_294_967_296)
}
