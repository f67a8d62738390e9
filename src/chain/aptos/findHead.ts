/** Versions requested at once, each over a stream of its own: the strictest public server allows a key 20 streams. */
const probesAtOnce = 8

/** The search ends when the head lies within so many versions, which a stream reads within seconds. */
const precision = 100_000n

/** No chain has more versions: 2^40 are 35 years at 1,000 a second. */
const highest = 2n ** 40n

/**
 * Finds the head of a chain whose source does not show it. `has` says whether a version can be read; a version past the head costs a
 * wait, so several are requested at once. Gives a version that exists, less than 100,000 below the head and at least `from`.
 */
export async function findHead(from: bigint, has: (version: bigint) => Promise<boolean>): Promise<bigint> {
  let low = from
  let high = from + highest
  let probes = gallopingProbes(low, high)
  while (high - low > precision) {
    const answers = await Promise.all(probes.map(has))
    // A later version that exists proves the earlier ones, whatever their probes said.
    const last = answers.lastIndexOf(true)
    high = probes[last + 1] ?? high
    low = probes[last] ?? low
    probes = evenProbes(low, high)
  }
  return low
}

/** Each probe is 16 times as far away as the one before, so that one round covers a chain of any length. */
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
