/**
 * How long a condition is waited for, in milliseconds. A limit only shows a hang: it is far above what the slowest
 * machine needs, and no test sets one of its own.
 */
export const patienceMs = 300_000

/** The same for `vi.waitFor` and `vi.waitUntil`. */
export const patience = { timeout: patienceMs }
