/**
 * SQL for a time as `metadata_due.due_at` keeps it: in whole milliseconds, so that a time that went through this program, whose dates have
 * no more, is still the one in the row. Every expression that becomes a `due_at` is cut by this.
 */
export const dueAt = (time: string) => `date_trunc('milliseconds', ${time})`

/** SQL for now as a time that a token is due. */
export const dueNow = dueAt('now()')

/** SQL for when a token is due that was tried at a time and is left alone for a pause from then on; a null among them: now. */
export const dueAfter = (triedAt: string, pause: string) => dueAt(`greatest(now(), ${triedAt} + ${pause})`)
