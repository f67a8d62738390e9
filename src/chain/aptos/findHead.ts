/** Versions asked for at once: as many streams as the strictest public server allows a key are 20. */
const probesAtOnce = 8

/** The head is known well enough when it lies within so many versions; a stream catches them up in seconds. */
const precision = 100_000n

/** No chain is beyond it: 2^40 versions are 35 years at 1,000 a second. */
const highest = 2n ** 40n

/**
 * Where a chain ends, for a source that cannot be asked. `has` tells whether a version can be read; a version past the head
 * costs a wait, so several are asked at once. Answers a version that exists, less than 100,000 below the head, at least `from`.
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

/** Each 16 times further away than the one before: a chain of any length is found in one round. */
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
