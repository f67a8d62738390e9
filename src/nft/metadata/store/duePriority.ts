/** Of a collection's tokens that are due those of the greatest priority are read first, and of one priority those due longest. */
export const duePriority = {
  /** Never read, seen when it was old, or tried again. */
  none: 0,
  /** One of many ids that were said to have changed. */
  swept: 1,
  /** Named by an event of its contract, or asked for by a client. */
  named: 2,
} as const

/** All of them, the first one first. */
export const duePriorities = [duePriority.named, duePriority.swept, duePriority.none] as const
