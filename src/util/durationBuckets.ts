/**
 * Bounds of a histogram of seconds: a page takes a millisecond, a repeated one a tenth of that, and a request of ten seconds is a fault.
 * Each bound is at most 2.5 times the one before it, so that a quantile is wrong by that factor at most.
 */
export const durationBuckets = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]

/** Bounds for work that may take longer than ten seconds: requests to nodes and strangers' hosts, previews. */
export const longDurationBuckets = [...durationBuckets, 20, 50]
