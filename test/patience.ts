/**
 * How long tests wait for a condition, in milliseconds. The limit only detects hangs: it is far above the time that
 * the slowest machine needs. No test sets a limit of its own.
 */
export const patienceMs = 300_000

/** The same for `vi.waitFor` and `vi.waitUntil`. */
export const patience = { timeout: patienceMs }
