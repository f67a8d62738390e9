/** Versions requested at once, each over its own stream: the strictest public server allows a key 20 streams. */
const probesAtOnce = 8

/** The search ends when the head is within this many versions, which a stream reads within seconds. */
const precision = 100_000n

/** No chain has more versions: 2^40 are 35 years at 1,000 a second. */
const highest = 2n ** 40n

/**
 * Finds the head of a chain whose source does not report it. `has` says whether a version can be read. A version past the head costs a wait, so
 * several are requested at once. Returns an existing version, less than 100,000 below the head and at least `from`.
 */
export async function findHead(from: bigint, has: (version: bigint) => Promise<boolean>): Promise<bigint> {
  let low = from
  let high = from + highest
  let probes = gallopingProbes(low, high)
  while (high - low > precision) {
    const answers = await Promise.all(probes.map(has))
    // A later version that exists proves the earlier ones, whatever their probes returned.
    const last = answers.lastIndexOf(true)
    high = probes[last + 1] ?? high
    low = probes[last] ?? low
    probes = evenProbes(low, high)
  }
  return low
}

/** Each probe is 16 times as far away as the previous one, so one round covers a chain of any length. */
function gallopingProbes(low: bigint, high: bigint): bigint[] {
  const probes: bigint[] = []
  for (let step = precision; low + step < high && probes.length < probesAtOnce; step *= 16n) probes.push(low + step)
  return probes
}

function evenProbes(low: bigint, high: bigint): bigint[] {
  const step = (high - low) / BigInt(probesAtOnce + 1) + 1n
  const probes: bigint[] = []
  for (let probe = low + step; probe < high; probe += step) probes.push(probe)
  return probes
}
