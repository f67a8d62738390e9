/**
 * Bounds of a histogram of seconds: a page takes a millisecond, a repeated one a tenth of it, and what takes ten seconds is a fault.
 * Neighbours are at most 2.5 apart, so that a quantile is read between two of them with that error at most.
 */
export const durationBuckets = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]

/** The same where waiting longer than ten seconds is allowed: nodes, strangers' hosts, previews. */
export const longDurationBuckets = [...durationBuckets, 20, 50]
